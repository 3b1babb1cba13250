import type { TagRef } from '@continuo/contracts';
import type { GenreView } from '../../../reads/library/genres.reads.js';
import { nativeObject } from './native-object.js';

/** A genre that replaces a merged one; its name is the element's text. */
const mergedObject = nativeObject<TagRef>({ kind: 'merge', schema: 'merged_genre' }, (of) => [
  of.id('id', (genre) => genre.id),
  of.text('name', (genre) => genre.name, { xml: 'cdata-text' }),
]);

/** Fields of a genre. The last two counts are always 0. */
export const genreObject = nativeObject<GenreView>('genre', (of) => [
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
