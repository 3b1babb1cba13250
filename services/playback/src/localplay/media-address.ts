/** What an address plays, whatever token it carries: the same song that somebody queues an hour later has another one. */
export const mediaOf = (url: string): string => {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, searchParams } = new URL(url);
  searchParams.delete('ssid');
  return `${origin}${pathname}?${searchParams.toString()}`;
};
