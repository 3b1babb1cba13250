import type { NameRef, TagRef } from '@continuo/contracts';
import { objectTable, rowsOf } from '../../../render/index.js';
import type { NativeContext } from './context.js';

const name = rowsOf<Pick<NameRef, 'id' | 'name' | 'prefix' | 'basename'>, NativeContext>();

/** Reference to an artist or album. Versions up to 5 have the name only, in XML as the element's text. */
export const referenceObject = objectTable(
  'artist',
  [
    name.id('id', (ref) => ref.id),
    name.text('name', (ref) => ref.name, { since: 6 }),
    name.text('name', (ref) => ref.name, { until: 5, xml: 'cdata-text' }),
    name.text('prefix', (ref) => ref.prefix, { since: 6, nullable: true }),
    name.text('basename', (ref) => ref.basename, { since: 6 }),
  ],
  'reference',
);

const tag = rowsOf<TagRef, NativeContext>();

/** Reference to a genre or mood. */
export const tagObject = objectTable(
  'genre',
  [
    tag.id('id', (ref) => ref.id),
    tag.word('count', () => '1', { until: 4, json: 'none', xml: 'attribute' }),
    tag.text('name', (ref) => ref.name, { since: 6 }),
    tag.text('name', (ref) => ref.name, { until: 5, xml: 'cdata-text' }),
  ],
  'genre_reference',
);

/** Genre names of songs in versions up to 4. */
export const plainGenreObject = objectTable('genre', [tag.text('name', (ref) => ref.name, { xml: 'cdata-text' })]);

/** Placeholder for a missing artist. */
export const NOBODY: Pick<NameRef, 'id' | 'name' | 'prefix' | 'basename'> = { id: 0, name: 'Various', prefix: '', basename: 'Various' };
