/** As long as an address of a station, or of its site, may be, in characters. */
export const MAX_STATION_URL = 2000;
/** Longest name of a station, in characters. */
export const MAX_STATION_NAME = 255;

/** Nothing that a parser would drop or turn into something else (blanks, backslashes), nor what a header or a page would stumble over. */
const PLAIN = /^https?:\/\/[^\s\p{C}"<>\\^`{|}]+$/iu;

/**
 * True for an address that a station, or its site, may have: http or https, with a host. A name and password in it are refused: everybody who sees the
 * station is told its address.
 */
export const isStationUrl = (text: string): boolean => {
  if (text.length > MAX_STATION_URL || !text.isWellFormed() || !PLAIN.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
};
