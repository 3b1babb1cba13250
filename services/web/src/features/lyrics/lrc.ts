/** A line of lyrics. */
export interface LyricsLine {
  readonly text: string;
  /** When it is sung, from the beginning of the song, s; undefined for words without times. */
  readonly startS?: number;
}

const TIME = /^\s*\[(\d{1,4}):(\d{1,2})(?:[.:](\d{1,3}))?\]/;
const TAG = /^\s*\[[a-z#]+:[^\]]*\]\s*$/i;
const OFFSET = /^\s*\[offset:\s*([+-]?\d{1,7})\s*\]/im;
const WORD_TIME = /<\d{1,4}:\d{1,2}(?:[.:]\d{1,3})?>\s?/g;

const secondsOf = ([, minutes = '0', seconds = '0', fraction = '0']: RegExpExecArray): number =>
  Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

/** A line of a file; one that is sung more than once has more than one time. */
const linesOf = (text: string, offsetS: number): LyricsLine[] => {
  const starts: number[] = [];
  let rest = text;
  for (let time = TIME.exec(rest); time; time = TIME.exec(rest)) {
    starts.push(Math.max(0, secondsOf(time) - offsetS));
    rest = rest.slice(time[0].length);
  }
  const words = rest.replaceAll(WORD_TIME, '').trim();
  return starts.length === 0 ? [{ text: words }] : starts.map((startS) => ({ text: words, startS }));
};

/** Reads lyrics, plain or as LRC with a time before each line; timed ones come in the order of their times. */
export const readLyrics = (text: string): readonly LyricsLine[] => {
  // A positive offset of the file lets the words come sooner.
  const offsetS = Number(OFFSET.exec(text)?.[1] ?? 0) / 1000;
  const lines = text
    .split(/\r\n|\r|\n/)
    .filter((line) => !TAG.test(line))
    .flatMap((line) => linesOf(line, offsetS));
  const timed = lines.filter(({ startS }) => startS !== undefined);
  return timed.length === 0 ? lines : timed.toSorted((a, b) => (a.startS ?? 0) - (b.startS ?? 0));
};

/** True for lyrics of which is known when they are sung. */
export const isTimed = (lines: readonly LyricsLine[]): boolean => lines[0]?.startS !== undefined;

/** Index of the line that is sung at a position, s; -1 before the first. */
export const lineAt = (lines: readonly LyricsLine[], positionS: number): number =>
  lines.findLastIndex(({ startS }) => startS !== undefined && startS <= positionS);
