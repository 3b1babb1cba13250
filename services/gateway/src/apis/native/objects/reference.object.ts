import type { NameRef, TagRef } from '@continuo/contracts';
import { nativeObject } from './native-object.js';

/** Reference to an artist or album. Versions up to 5 have the name only, in XML as the element's text. */
export const referenceObject = nativeObject<Pick<NameRef, 'id' | 'name' | 'prefix' | 'basename'>>(
  { kind: 'artist', schema: 'reference' },
  (of) => [
    of.id('id', (ref) => ref.id),
    of.text('name', (ref) => ref.name, { since: 6 }),
    of.text('name', (ref) => ref.name, { until: 5, xml: 'cdata-text' }),
    of.text('prefix', (ref) => ref.prefix, { since: 6, nullable: true }),
    of.text('basename', (ref) => ref.basename, { since: 6 }),
  ],
);

/** Reference to a genre or mood. */
export const tagObject = nativeObject<TagRef>({ kind: 'genre', schema: 'genre_reference' }, (of) => [
  of.id('id', (ref) => ref.id),
  of.word('count', () => '1', { until: 4, json: 'none', xml: 'attribute' }),
  of.text('name', (ref) => ref.name, { since: 6 }),
  of.text('name', (ref) => ref.name, { until: 5, xml: 'cdata-text' }),
]);

/** Genre names of songs in versions up to 4. */
export const plainGenreObject = nativeObject<TagRef>('genre', (of) => [of.text('name', (ref) => ref.name, { xml: 'cdata-text' })]);

/** Placeholder for a missing artist. */
export const NOBODY: Pick<NameRef, 'id' | 'name' | 'prefix' | 'basename'> = { id: 0, name: 'Various', prefix: '', basename: 'Various' };
