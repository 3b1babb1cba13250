import type { LyricsText } from './messages/track.js';

/** The start of a line as LRC files write it: minutes, seconds and hundredths. */
const timeStamp = (startMs: number): string => {
  const hundredths = Math.floor(startMs / 10);
  const two = (count: number): string => String(count).padStart(2, '0');
  return `[${two(Math.floor(hundredths / 6000))}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}]`;
};

/** One of a song's texts as clients read it in a single field, preferably one with times: each line with a time begins with `[mm:ss.xx]`. Undefined when there is none. */
export const lyricsWithTimes = (texts: readonly LyricsText[]): string | undefined => {
  const chosen = texts.find(({ synced }) => synced) ?? texts[0];
  return chosen?.lines.map(({ startMs, text }) => (startMs === undefined ? text : `${timeStamp(startMs)}${text}`)).join('\n');
};
