import type { NameRef, TagRef } from '@continuo/contracts';
import { objectTable, rowsOf } from '../../render/index.js';
import type { NativeContext } from './context.js';

const name = rowsOf<Pick<NameRef, 'id' | 'name' | 'prefix' | 'basename'>, NativeContext>();

/** How an object names an artist or an album. Versions up to 5 have the bare name, in XML as the element's text. */
export const referenceObject = objectTable('artist', [
  name.id('id', (ref) => ref.id),
  name.text('name', (ref) => ref.name, { since: 6 }),
  name.text('name', (ref) => ref.name, { until: 5, xml: 'cdata-text' }),
  name.text('prefix', (ref) => ref.prefix, { since: 6 }),
  name.text('basename', (ref) => ref.basename, { since: 6 }),
]);

const tag = rowsOf<TagRef, NativeContext>();

/** How an object names a genre or a mood. */
export const tagObject = objectTable('genre', [
  tag.id('id', (ref) => ref.id),
  tag.word('count', () => '1', { until: 4, json: 'none', xml: 'attribute' }),
  tag.text('name', (ref) => ref.name, { since: 6 }),
  tag.text('name', (ref) => ref.name, { until: 5, xml: 'cdata-text' }),
]);

/** How songs of versions up to 4 name their genres once more: by name alone. */
export const plainGenreObject = objectTable('genre', [tag.text('name', (ref) => ref.name, { xml: 'cdata-text' })]);

/** What stands for an artist where a song or an album has none (versions.md section 11, point 11). */
export const NOBODY: Pick<NameRef, 'id' | 'name' | 'prefix' | 'basename'> = { id: 0, name: 'Various', prefix: '', basename: 'Various' };
