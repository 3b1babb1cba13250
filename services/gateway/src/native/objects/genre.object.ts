import { objectTable, rowsOf } from '../../render/index.js';
import type { GenreView } from '../../reads/genres.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<GenreView, NativeContext>();

/** versions.md sections 6.1 and 7.1. The last two counts are always 0 there; videos follow with videos. */
export const genreObject = objectTable<GenreView, NativeContext>('genre', [
  of.id('id', (genre) => genre.id),
  of.text('name', (genre) => genre.name),
  of.num('albums', (genre) => genre.albumCount),
  of.num('artists', (genre) => genre.artistCount),
  of.num('songs', (genre) => genre.songCount),
  of.num('videos', () => 0),
  of.num('playlists', () => 0),
  of.num('live_streams', () => 0, { since: 5 }),
  of.num('stream', () => 0, { until: 4 }),
  of.bool('is_hidden', () => false, { since: 6 }),
  of.scalars('merge', () => [], { since: 6, xml: 'none' }),
  // An empty merge list is an empty element in XML.
  of.word('merge', () => null, { since: 6, json: 'none' }),
]);
