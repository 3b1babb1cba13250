/** What says how something is to be played, and to whom, and not what it is. */
const MANNERS = ['ssid', 'format', 'transcode_to', 'frame'];

/** What an address plays, whatever token it carries and from wherever it plays it: the same song that somebody queues an hour later has another token. */
export const mediaOf = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of MANNERS) searchParams.delete(name);
  return `${origin}${pathname}?${searchParams.toString()}`;
};
