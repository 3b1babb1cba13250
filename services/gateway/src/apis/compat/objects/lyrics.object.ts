import type { LyricsText } from '@continuo/contracts';
import { objectTable } from '../../../render/object-table.js';
import { fieldsOf, OPTIONAL } from './fields.js';

/** Unsynchronized lyrics of a song. */
export interface PlainLyrics {
  readonly artist: string | undefined;
  readonly title: string | undefined;
  /** Empty without lyrics. */
  readonly text: string;
}
const plain = fieldsOf<PlainLyrics>();
/** Lyrics (schema type Lyrics). */
export const lyrics = objectTable<PlainLyrics, undefined>('lyrics', [
  plain.text('artist', (l) => l.artist, OPTIONAL),
  plain.text('title', (l) => l.title, OPTIONAL),
  plain.ownText('value', (l) => l.text),
]);

type Line = LyricsText['lines'][number];
const lineFields = fieldsOf<Line>();
const line = objectTable<Line, undefined>('line', [
  lineFields.int('start', (l) => l.startMs, OPTIONAL),
  lineFields.ownText('value', (l) => l.text),
]);

/** Lyrics of a song with times of lines. */
export interface StructuredLyrics {
  readonly text: LyricsText;
  readonly artist: string | undefined;
  readonly title: string;
  /** True when the caller requested word times. */
  readonly enhanced: boolean;
}

/** A timed part of a line; byte offsets in UTF-8, the last one included. */
interface Cue {
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly text: string;
  readonly byteStart: number;
  readonly byteEnd: number;
}
const cueFields = fieldsOf<Cue>();
const cue = objectTable<Cue, undefined>('cue', [
  cueFields.int('start', (c) => c.startMs),
  cueFields.int('end', (c) => c.endMs, OPTIONAL),
  cueFields.int('byteStart', (c) => c.byteStart),
  cueFields.int('byteEnd', (c) => c.byteEnd),
  cueFields.ownText('value', (c) => c.text),
]);

interface CueLine {
  readonly index: number;
  readonly line: Line;
  readonly cues: readonly Cue[];
}
const cueLineFields = fieldsOf<CueLine>();
const cueLine = objectTable<CueLine, undefined>('cueLine', [
  cueLineFields.int('index', (l) => l.index),
  cueLineFields.int('start', (l) => l.cues[0]?.startMs, OPTIONAL),
  cueLineFields.int('end', (l) => l.line.endMs, OPTIONAL),
  cueLineFields.text('value', (l) => l.line.text),
  cueLineFields.many('cue', cue, (l) => l.cues),
]);

/** Cues of a line, without surrounding blanks. A cue ends where the next one begins, if the end of the last one is known. */
const cuesOf = ({ text, cues = [], endMs }: Line): Cue[] =>
  cues.flatMap(([startMs, from], index) => {
    const [nextMs, to] = cues[index + 1] ?? [endMs, text.length];
    const sung = text.slice(from, to);
    const words = sung.trim();
    if (words === '') return [];
    const byteStart = Buffer.byteLength(text.slice(0, from + sung.indexOf(words)));
    const end = endMs === undefined || nextMs === undefined ? undefined : nextMs;
    return [{ startMs, endMs: end, text: words, byteStart, byteEnd: byteStart + Buffer.byteLength(words) - 1 }];
  });

const cueLinesOf = ({ text, enhanced }: StructuredLyrics): CueLine[] | undefined => {
  if (!enhanced || !text.synced) return undefined;
  const lines = text.lines.flatMap((one, index) => {
    const cues = cuesOf(one);
    return cues.length === 0 ? [] : [{ index, line: one, cues }];
  });
  return lines.length === 0 ? undefined : lines;
};

const structured = fieldsOf<StructuredLyrics>();
/** Lyrics by lines (extension songLyrics, version 1, and word times of version 2 when requested). */
export const structuredLyrics = objectTable<StructuredLyrics, undefined>('structuredLyrics', [
  structured.text('displayArtist', (l) => l.artist, OPTIONAL),
  structured.text('displayTitle', (l) => l.title),
  structured.text('lang', (l) => l.text.language),
  structured.bool('synced', (l) => l.text.synced),
  structured.many('line', line, (l) => (l.text.synced ? l.text.lines : l.text.lines.map(({ text }) => ({ text })))),
  structured.many('cueLine', cueLine, cueLinesOf, OPTIONAL),
]);
