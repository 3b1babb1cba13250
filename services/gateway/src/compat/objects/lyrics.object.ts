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
}
const structured = fieldsOf<StructuredLyrics>();
/** A song's text by lines (extension songLyrics, version 1). */
export const structuredLyrics = objectTable<StructuredLyrics, undefined>('structuredLyrics', [
  structured.text('displayArtist', (l) => l.artist),
  structured.text('displayTitle', (l) => l.title),
  structured.text('lang', (l) => l.text.language),
  structured.bool('synced', (l) => l.text.synced),
  structured.many('line', line, (l) => (l.text.synced ? l.text.lines : l.text.lines.map(({ text }) => ({ text })))),
]);
