/** One line of synchronised text; times in milliseconds. */
export interface TimedLine {
  readonly startMs: number;
  readonly text: string;
  /** When what begins at an index of the text is sung, in their order; only where words have times. */
  readonly cues?: readonly (readonly [startMs: number, from: number])[];
  /** When the last of them is over, where it says so. */
  readonly endMs?: number;
}

/** Parsed LRC text. */
export interface ParsedLrc {
  readonly lines: TimedLine[];
  /** `[la:…]` or `[lang:…]`, when given. */
  readonly language?: string;
}

const STAMP = /^\s*\[(\d{1,4}):([0-5]?\d)(?:[.:](\d{1,3}))?\]/;
/** Headers that name the language. */
const LANGUAGE: ReadonlySet<string> = new Set(['la', 'lang', 'language']);
const HEADER = /^\s*\[([a-z#]+):(.*)\]\s*$/i;
/** Stamps within a line, of the enhanced format (`<00:12.34>`). */
const WORD_STAMP = /<(\d{1,4}):([0-5]?\d)(?:[.:](\d{1,3}))?>\s?/g;

const milliseconds = (match: RegExpExecArray | RegExpMatchArray): number => {
  const [, minutes = '0', seconds = '0', fraction = ''] = match;
  return (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
};

type Words = Pick<TimedLine, 'text' | 'cues' | 'endMs'>;

/** Takes the stamps out of a line. What stands before the first of them is sung when the line begins. */
const wordsOf = (line: string, startMs: number): Words => {
  let text = '';
  let from = 0;
  const cues: [startMs: number, from: number][] = [];
  for (const stamp of line.matchAll(WORD_STAMP)) {
    text = (text + line.slice(from, stamp.index)).trimStart();
    if (cues.length === 0 && text !== '') cues.push([startMs, 0]);
    cues.push([milliseconds(stamp), text.length]);
    from = stamp.index + stamp[0].length;
  }
  const whole = (text + line.slice(from)).trim();
  const sung = cues.filter(([, at]) => at < whole.length);
  const last = cues.at(-1);
  const isOrdered = cues.every(([atMs], index) => atMs >= (cues[index - 1]?.[0] ?? 0));
  if (sung.length === 0 || !isOrdered) return { text: whole };
  return { text: whole, cues: sung, ...(last && sung.length < cues.length ? { endMs: last[0] } : {}) };
};

/** The same line earlier. */
const earlier = (line: TimedLine, byMs: number): TimedLine => {
  const moved = (atMs: number): number => Math.max(0, atMs - byMs);
  return {
    ...line,
    startMs: moved(line.startMs),
    ...(line.cues && { cues: line.cues.map(([atMs, from]) => [moved(atMs), from] as const) }),
    ...(line.endMs === undefined ? {} : { endMs: moved(line.endMs) }),
  };
};

/** Takes the stamps off the front of a line. Words have times of their own only in a line that is sung once. */
const stampsOf = (line: string): { starts: number[]; words: Words } => {
  const starts: number[] = [];
  let rest = line;
  for (let match = STAMP.exec(rest); match; match = STAMP.exec(rest)) {
    starts.push(milliseconds(match));
    rest = rest.slice(match[0].length);
  }
  const words = wordsOf(rest, starts[0] ?? 0);
  return { starts, words: starts.length === 1 ? words : { text: words.text } };
};

/**
 * Parses the text of a `.lrc` file: several stamps per line repeat it, `[offset:±ms]` moves everything (positive means earlier), other headers
 * are dropped. Lines come out in order of time. No stamped line at all means it is not LRC: the result is undefined.
 */
export const parseLrc = (text: string): ParsedLrc | undefined => {
  const timed: TimedLine[] = [];
  let offsetMs = 0;
  let language: string | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { starts, words } = stampsOf(line);
    for (const startMs of starts) timed.push({ startMs, ...words });
    const header = starts.length === 0 ? HEADER.exec(line) : null;
    if (header?.[1]?.toLowerCase() === 'offset') offsetMs = Number.parseInt((header[2] as string).trim(), 10) || 0;
    if (LANGUAGE.has(header?.[1]?.toLowerCase() ?? '')) language = (header?.[2] ?? '').trim().toLowerCase() || undefined;
  }
  if (timed.length === 0) return undefined;
  const lines = timed.map((line) => earlier(line, offsetMs));
  lines.sort((a, b) => a.startMs - b.startMs);
  return { lines, ...(language ? { language } : {}) };
};
