import type { LyricsText } from '@continuo/contracts';
import { objectTable } from '../../render/object-table.js';
import { fieldsOf } from './fields.js';

/** A song's text without its times. */
export interface PlainLyrics {
  readonly artist: string | undefined;
  readonly title: string | undefined;
  /** Empty when there is none. */
  readonly text: string;
}
const plain = fieldsOf<PlainLyrics>();
/** A song's text (schema type Lyrics). */
export const lyrics = objectTable<PlainLyrics, undefined>('lyrics', [
  plain.text('artist', (l) => l.artist),
  plain.text('title', (l) => l.title),
  plain.ownText('value', (l) => l.text),
]);

type Line = LyricsText['lines'][number];
const lineFields = fieldsOf<Line>();
const line = objectTable<Line, undefined>('line', [lineFields.num('start', (l) => l.startMs), lineFields.ownText('value', (l) => l.text)]);

/** One text of a song with the times of its lines. */
export interface StructuredLyrics {
  readonly text: LyricsText;
  readonly artist: string | undefined;
  readonly title: string;
  /** True where the caller asked for times of words. */
  readonly enhanced: boolean;
}

/** Words of a line with their time, and where in the line they stand, in bytes of its UTF-8, the last one included. */
interface Cue {
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly text: string;
  readonly byteStart: number;
  readonly byteEnd: number;
}
const cueFields = fieldsOf<Cue>();
const cue = objectTable<Cue, undefined>('cue', [
  cueFields.num('start', (c) => c.startMs),
  cueFields.num('end', (c) => c.endMs),
  cueFields.num('byteStart', (c) => c.byteStart),
  cueFields.num('byteEnd', (c) => c.byteEnd),
  cueFields.ownText('value', (c) => c.text),
]);

interface CueLine {
  readonly index: number;
  readonly line: Line;
  readonly cues: readonly Cue[];
}
const cueLineFields = fieldsOf<CueLine>();
const cueLine = objectTable<CueLine, undefined>('cueLine', [
  cueLineFields.num('index', (l) => l.index),
  cueLineFields.num('start', (l) => l.cues[0]?.startMs),
  cueLineFields.num('end', (l) => l.line.endMs),
  cueLineFields.text('value', (l) => l.line.text),
  cueLineFields.many('cue', cue, (l) => l.cues),
]);

/** The words between two cues, without the blanks around them. A cue ends where the next one begins, where it is known when the last one does. */
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
/** A song's text by lines (extension songLyrics, version 1, and the times of words of version 2 where they are asked for; compat facts, section 7.3). */
export const structuredLyrics = objectTable<StructuredLyrics, undefined>('structuredLyrics', [
  structured.text('displayArtist', (l) => l.artist),
  structured.text('displayTitle', (l) => l.title),
  structured.text('lang', (l) => l.text.language),
  structured.bool('synced', (l) => l.text.synced),
  structured.many('line', line, (l) => (l.text.synced ? l.text.lines : l.text.lines.map(({ text }) => ({ text })))),
  structured.many('cueLine', cueLine, cueLinesOf),
]);
