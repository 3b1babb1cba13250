import { Parser } from 'htmlparser2';
import type { TimedLine } from './lrc.js';

/** Parsed timed text. */
export interface ParsedLyrics {
  readonly lines: readonly TimedLine[];
  readonly synced: boolean;
  readonly language?: string;
}

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,6})|:\d{1,3})?$/;
const OFFSET = /^(\d{1,9}(?:\.\d{1,6})?)(h|m|s|ms)?$/;
const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** A time of TTML or SRT in milliseconds: `1:02:03.4`, `02:03,400`, `12.5s`, `900ms`, or plain seconds. */
const timeOf = (text: string | undefined): number | undefined => {
  const given = text?.trim() ?? '';
  const clock = CLOCK.exec(given);
  if (clock) {
    const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = clock;
    return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Math.round(Number(`0.${fraction || '0'}`) * 1000);
  }
  const [, amount, unit = 's'] = OFFSET.exec(given) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS_MS[unit] ?? 1000));
};

const inOrder = (lines: readonly TimedLine[]): TimedLine[] => lines.toSorted((a, b) => a.startMs - b.startMs);

const SRT_TIMES = /^\s*(\d{1,3}:\d{2}:\d{2}[,.]\d{1,3})\s*-->\s*\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}/;
/** Marks of style in SRT: `<i>`, `{\an8}`. */
const SRT_STYLE = /<\/?[a-z][^>]{0,100}>|\{\\[^}]{0,100}\}/gi;

/** Parses SubRip text: each group of lines under a pair of times is one line of lyrics. Undefined for a text without such times. */
export const parseSrt = (text: string): ParsedLyrics | undefined => {
  const blocks: { startMs: number; texts: string[] }[] = [];
  let isOpen = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const startMs = timeOf(SRT_TIMES.exec(line)?.[1]);
    if (startMs !== undefined) blocks.push({ startMs, texts: [] });
    else if (isOpen && line.trim() !== '') blocks.at(-1)?.texts.push(line.replace(SRT_STYLE, '').trim());
    else if (blocks.length === 0 && line.trim() !== '' && !/^\s*\d+\s*$/.test(line)) return undefined;
    isOpen = startMs !== undefined || (isOpen && line.trim() !== '');
  }
  if (blocks.length === 0) return undefined;
  const lines = blocks.map(({ startMs, texts }) => ({ startMs, text: texts.join(' ').trim() }));
  return { lines: inOrder(lines.filter(({ text: words }) => words !== '')), synced: true };
};

/** A line of TTML while it is read. */
interface OpenLine {
  readonly startMs: number | undefined;
  text: string;
  readonly cues: [startMs: number, from: number][];
  endMs: number | undefined;
}

/** Parts of a line that are no lyrics: translations, and how they are pronounced. */
const ASIDE = /^x-(?:translation|roman)/i;
const LOCAL = /^.*:/;

const lineOf = ({ startMs, text, cues, endMs }: OpenLine): TimedLine | undefined => {
  const whole = text.trimEnd();
  if (whole === '') return undefined;
  const sung = cues.filter(([, at]) => at < whole.length);
  const isOrdered = sung.every(([atMs], index) => atMs >= (sung[index - 1]?.[0] ?? 0));
  const words = sung.length > 0 && isOrdered ? { cues: sung, ...(endMs === undefined ? {} : { endMs }) } : {};
  return { startMs: startMs ?? sung[0]?.[0] ?? -1, text: whole, ...words };
};

/** Reads the elements of a TTML document: paragraphs are lines, and spans with times in them are words. */
class TtmlReader {
  readonly lines: TimedLine[] = [];
  language: string | undefined;
  isTtml = false;
  #line: OpenLine | undefined;
  /** Open spans, true for those that are left out. */
  readonly #spans: boolean[] = [];

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const name = tag.replace(LOCAL, '').toLowerCase();
    if (name === 'tt') [this.isTtml, this.language] = [true, attributes['xml:lang']];
    else if (name === 'p') this.#line = { startMs: timeOf(attributes['begin']), text: '', cues: [], endMs: undefined };
    else if (name === 'br') this.write(' ');
    else if (name === 'span') this.#openSpan(attributes);
  }

  close(tag: string): void {
    const name = tag.replace(LOCAL, '').toLowerCase();
    if (name === 'span') this.#spans.pop();
    if (name !== 'p' || !this.#line) return;
    const line = lineOf(this.#line);
    if (line) this.lines.push(line);
    this.#line = undefined;
  }

  write(text: string): void {
    if (!this.#line || this.#spans.includes(true)) return;
    const blanks = text.replaceAll(/\s+/g, ' ');
    this.#line.text += this.#line.text === '' || this.#line.text.endsWith(' ') ? blanks.trimStart() : blanks;
  }

  #openSpan(attributes: Readonly<Record<string, string>>): void {
    this.#spans.push(ASIDE.test(attributes['ttm:role'] ?? attributes['role'] ?? ''));
    const [startMs, endMs] = [timeOf(attributes['begin']), timeOf(attributes['end'])];
    if (!this.#line || startMs === undefined || this.#spans.includes(true)) return;
    this.#line.cues.push([startMs, this.#line.text.length]);
    this.#line.endMs = endMs;
  }
}

/** Parses a TTML document, with the times of words where it has them. Undefined for anything else. */
export const parseTtml = (text: string): ParsedLyrics | undefined => {
  if (!/^\uFEFF?\s*<(?:\?xml|!--|[\w-]{1,20}:?tt\b|tt\b)/i.test(text)) return undefined;
  const reader = new TtmlReader();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (part) => reader.write(part),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (!reader.isTtml) return undefined;
  const language = reader.language?.trim().toLowerCase();
  const synced = reader.lines.length > 0 && reader.lines.every(({ startMs }) => startMs >= 0);
  return { lines: synced ? inOrder(reader.lines) : reader.lines, synced, ...(language ? { language } : {}) };
};
