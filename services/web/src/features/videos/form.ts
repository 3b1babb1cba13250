/** Forms of a video that are tried one after another: the file, then what the server makes of it. */
export const FORMS = ['file', 'mp4', 'webm'] as const;
export type VideoForm = (typeof FORMS)[number];

const TYPES: Readonly<Record<VideoForm, string>> = { file: '', mp4: 'video/mp4; codecs="avc1.42E01E"', webm: 'video/webm; codecs="vp9"' };

/** The next form that the browser may be able to play; undefined when there is none. @param after the form that has failed */
export const nextForm = (mime: string, canPlay: (type: string) => boolean, after?: VideoForm): VideoForm | undefined =>
  FORMS.slice(after === undefined ? 0 : FORMS.indexOf(after) + 1).find((form) => canPlay(form === 'file' ? mime : TYPES[form]));

/**
 * Address of a video in a form. What is being made has no ranges, so that it is asked for from a position on, s. Fetching counts as no play:
 * the page says itself what is seen.
 * @param caption subtitles that are drawn into what is made
 */
export const videoAddress = (url: string, form: VideoForm, fromS: number, caption = ''): string => {
  const address = new URL(url);
  address.searchParams.set('cache', '1');
  if (form !== 'file') address.searchParams.set('format', form);
  if (form !== 'file' && fromS > 0) address.searchParams.set('frame', String(Math.floor(fromS)));
  if (form !== 'file' && caption !== '') address.searchParams.set('subtitle', caption);
  return address.href;
};
