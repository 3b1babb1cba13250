/** Words of a line that are sung from a time on, s. */
export interface SungWords {
  readonly text: string;
  readonly startS: number;
}

/** A line of lyrics. */
export interface LyricsLine {
  readonly text: string;
  /** When it is sung, from the beginning of the song, s; undefined for words without times. */
  readonly startS?: number;
  /** Parts of the line, where it is known when each of them is sung. */
  readonly words?: readonly SungWords[];
}

const STAMP = String.raw`(\d{1,4}):(\d{1,2})(?:[.:](\d{1,3}))?`;
const TIME = new RegExp(String.raw`^\s*\[${STAMP}\]`);
const WORD_TIME = new RegExp(`<${STAMP}>`, 'g');
const TAG = /^\s*\[[a-z#]+:[^\]]*\]\s*$/i;
const OFFSET = /^\s*\[offset:\s*([+-]?\d{1,7})\s*\]/im;

const secondsOf = ([, minutes = '0', seconds = '0', fraction = '0']: RegExpExecArray): number =>
  Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

const plainOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Parts of a line by the times in it; none for a line without such times. */
const wordsIn = (text: string, startS: number, offsetS: number): readonly SungWords[] => {
  const times = [...text.matchAll(WORD_TIME)];
  if (times.length === 0) return [];
  const parts = times.map((time, at) => ({
    text: text.slice(time.index + time[0].length, times[at + 1]?.index),
    startS: Math.max(0, secondsOf(time) - offsetS),
  }));
  return [{ text: text.slice(0, times[0]?.index), startS }, ...parts].filter((part) => part.text.trim() !== '');
};

/** A line of a file; one that is sung more than once has more than one time. */
const linesOf = (text: string, offsetS: number): LyricsLine[] => {
  const starts: number[] = [];
  let rest = text;
  for (let time = TIME.exec(rest); time; time = TIME.exec(rest)) {
    starts.push(Math.max(0, secondsOf(time) - offsetS));
    rest = rest.slice(time[0].length);
  }
  const line = plainOf(rest.replaceAll(WORD_TIME, ''));
  if (starts.length !== 1) return starts.length === 0 ? [{ text: line }] : starts.map((startS) => ({ text: line, startS }));
  const [startS = 0] = starts;
  const words = wordsIn(rest, startS, offsetS);
  return [{ text: line, startS, ...(words.length > 0 ? { words } : {}) }];
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

/** Index of the line, or of the words of a line, that is sung at a position, s; -1 before the first. */
export const lineAt = (lines: readonly { readonly startS?: number }[], positionS: number): number =>
  lines.findLastIndex(({ startS }) => startS !== undefined && startS <= positionS);
