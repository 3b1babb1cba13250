import type { TagRef } from '@continuo/contracts';
import { objectTable, rowsOf } from '../../../render/index.js';
import type { GenreView } from '../../../reads/library/genres.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<GenreView, NativeContext>();
const merged = rowsOf<TagRef, NativeContext>();

/** A genre that replaces a merged one; its name is the element's text. */
const mergedObject = objectTable(
  'merge',
  [merged.id('id', (genre) => genre.id), merged.text('name', (genre) => genre.name, { xml: 'cdata-text' })],
  'merged_genre',
);

/** Fields of a genre. The last two counts are always 0. */
export const genreObject = objectTable<GenreView, NativeContext>('genre', [
  of.id('id', (genre) => genre.id),
  of.text('name', (genre) => genre.name),
  of.int('albums', (genre) => genre.albumCount),
  of.int('artists', (genre) => genre.artistCount),
  of.int('songs', (genre) => genre.songCount),
  of.int('videos', (genre) => genre.videoCount),
  of.int('playlists', () => 0),
  of.int('live_streams', () => 0, { since: 5 }),
  of.int('stream', () => 0, { until: 4 }),
  of.bool('is_hidden', (genre) => genre.hidden, { since: 6 }),
  of.list('merge', mergedObject, (genre) => genre.mergedInto, { since: 6, xml: 'none' }),
  of.list('merge', mergedObject, (genre) => (genre.mergedInto.length > 0 ? genre.mergedInto : undefined), {
    since: 6,
    json: 'none',
    optional: true,
  }),
  // An empty merge list is an empty element in XML.
  of.word('merge', (genre) => (genre.mergedInto.length > 0 ? undefined : null), { since: 6, json: 'none', nullable: true, optional: true }),
]);
