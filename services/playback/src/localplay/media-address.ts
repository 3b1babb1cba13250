/** Parameters of how something is to be played, and to whom, not of which medium it is. */
const MANNERS = ['ssid', 'format', 'transcode_to', 'frame'];

/** Medium of an address, without its token and other parameters: the same song queued an hour later has another token. */
export const mediaOf = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of MANNERS) searchParams.delete(name);
  return `${origin}${pathname}?${searchParams.toString()}`;
};
