import type { TagRef } from '@continuo/contracts';
import { objectTable, rowsOf } from '../../render/index.js';
import type { GenreView } from '../../reads/genres.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<GenreView, NativeContext>();
const merged = rowsOf<TagRef, NativeContext>();

/** A genre that songs carry in the place of a merged one: its name is the element's own text. */
const mergedObject = objectTable('merge', [
  merged.id('id', (genre) => genre.id),
  merged.text('name', (genre) => genre.name, { xml: 'cdata-text' }),
]);

/** versions.md sections 6.1 and 7.1. The last two counts are always 0 there. */
export const genreObject = objectTable<GenreView, NativeContext>('genre', [
  of.id('id', (genre) => genre.id),
  of.text('name', (genre) => genre.name),
  of.num('albums', (genre) => genre.albumCount),
  of.num('artists', (genre) => genre.artistCount),
  of.num('songs', (genre) => genre.songCount),
  of.num('videos', (genre) => genre.videoCount),
  of.num('playlists', () => 0),
  of.num('live_streams', () => 0, { since: 5 }),
  of.num('stream', () => 0, { until: 4 }),
  of.bool('is_hidden', (genre) => genre.hidden, { since: 6 }),
  of.list('merge', mergedObject, (genre) => genre.mergedInto, { since: 6, xml: 'none' }),
  of.list('merge', mergedObject, (genre) => (genre.mergedInto.length > 0 ? genre.mergedInto : undefined), { since: 6, json: 'none' }),
  // An empty merge list is an empty element in XML.
  of.word('merge', (genre) => (genre.mergedInto.length > 0 ? undefined : null), { since: 6, json: 'none' }),
]);
