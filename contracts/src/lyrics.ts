import type { LyricsText } from './messages/track.js';

/** A time as LRC files write it: minutes, seconds and hundredths. */
const timeStamp = (startMs: number): string => {
  const hundredths = Math.floor(startMs / 10);
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${two(Math.floor(hundredths / 6000))}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
};

type Line = LyricsText['lines'][number];

/** A line with the time of each word before it, where that is known. */
const withWordTimes = ({ text, cues = [], endMs }: Line): string => {
  const words = cues.map(([startMs, from], at) => `<${timeStamp(startMs)}>${text.slice(from, cues[at + 1]?.[1])}`);
  const end = words.length > 0 && endMs !== undefined ? `<${timeStamp(endMs)}>` : '';
  return `${text.slice(0, cues[0]?.[1])}${words.join('')}${end}`;
};

const lrcOf = ({ lines }: LyricsText, inLine: (line: Line) => string): string =>
  lines.map((line) => (line.startMs === undefined ? inLine(line) : `[${timeStamp(line.startMs)}]${inLine(line)}`)).join('\n');

/** A text as enhanced LRC: `[mm:ss.xx]` before lines and `<mm:ss.xx>` before words whose times are known. */
export const enhancedLrc = (text: LyricsText): string => lrcOf(text, withWordTimes);

/** One of a song's texts as clients read it in a single field, preferably one with times: each line with a time begins with `[mm:ss.xx]`. Undefined when there is none. */
export const lyricsWithTimes = (texts: readonly LyricsText[]): string | undefined => {
  const chosen = texts.find(({ synced }) => synced) ?? texts[0];
  return chosen && lrcOf(chosen, ({ text }) => text);
};
