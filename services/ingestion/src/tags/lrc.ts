/** One line of synchronised text; times in milliseconds. */
export interface TimedLine {
  readonly startMs: number;
  readonly text: string;
}

/** What an LRC text holds. */
export interface ParsedLrc {
  readonly lines: TimedLine[];
  /** `[la:…]`, when given. */
  readonly language?: string;
}

const STAMP = /^\s*\[(\d{1,4}):([0-5]?\d)(?:[.:](\d{1,3}))?\]/;
const HEADER = /^\s*\[([a-z#]+):(.*)\]\s*$/i;
/** Stamps within a line, of the enhanced format (`<00:12.34>`): the words stay, their times go. */
const WORD_STAMP = /<\d{1,4}:[0-5]?\d(?:[.:]\d{1,3})?>\s?/g;

const milliseconds = (match: RegExpExecArray): number => {
  const [, minutes = '0', seconds = '0', fraction = ''] = match;
  return (Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
};

/** Takes the stamps off the front of a line. */
const stampsOf = (line: string): { starts: number[]; text: string } => {
  const starts: number[] = [];
  let rest = line;
  for (let match = STAMP.exec(rest); match; match = STAMP.exec(rest)) {
    starts.push(milliseconds(match));
    rest = rest.slice(match[0].length);
  }
  return { starts, text: rest.replaceAll(WORD_STAMP, '').trim() };
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
    const { starts, text: words } = stampsOf(line);
    for (const startMs of starts) timed.push({ startMs, text: words });
    const header = starts.length === 0 ? HEADER.exec(line) : null;
    if (header?.[1]?.toLowerCase() === 'offset') offsetMs = Number.parseInt((header[2] as string).trim(), 10) || 0;
    if (header?.[1]?.toLowerCase() === 'la') language = (header[2] as string).trim().toLowerCase() || undefined;
  }
  if (timed.length === 0) return undefined;
  const lines = timed.map((line) => ({ ...line, startMs: Math.max(0, line.startMs - offsetMs) }));
  lines.sort((a, b) => a.startMs - b.startMs);
  return { lines, ...(language ? { language } : {}) };
};
