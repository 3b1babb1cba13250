import { objectTable, rowsOf } from '../../render/index.js';
import type { ArtistView } from '../../reads/artists.reads.js';
import type { ArtistFactsView } from '../../reads/found-facts.reads.js';
import { albumObject, type NativeAlbum } from './album.object.js';
import { annotationRows } from './annotation-rows.js';
import { seconds, type NativeContext } from './context.js';
import { tagObject } from './reference.object.js';
import { countedSongs, songObject, type NativeSong } from './song.object.js';

/** An artist with the albums and songs that the caller asked to be included. */
export interface NativeArtist {
  readonly view: ArtistView;
  /** What plug-ins know; absent where nobody was asked. */
  readonly facts?: ArtistFactsView | undefined;
  readonly albums: readonly NativeAlbum[];
  readonly songs: readonly NativeSong[];
}

const of = rowsOf<NativeArtist, NativeContext>();
const since6 = { since: 6 } as const;

const counted = rowsOf<readonly NativeAlbum[], NativeContext>();
/** An artist's albums as version 3 has them, see {@link countedSongs}. */
const countedAlbums = objectTable('albums', [
  counted.num('total_count', (albums) => albums.length),
  counted.list('album', albumObject, (albums) => albums),
]);

/** versions.md sections 6.1 to 6.3 and 7.1 to 7.3. */
export const artistObject = objectTable<NativeArtist, NativeContext>('artist', [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('prefix', ({ view }) => view.prefix, since6),
  of.text('basename', ({ view }) => view.basename, since6),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, json: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, json: 'none' }),
  of.list('albums', albumObject, ({ albums }) => albums, { since: 5, xml: 'wrapped', item: 'album' }),
  // Up to version 4 numbers where albums and songs are not asked for.
  of.list('albums', albumObject, ({ albums }) => (albums.length > 0 ? albums : undefined), {
    since: 4,
    until: 4,
    xml: 'wrapped',
    item: 'album',
  }),
  of.object('albums', countedAlbums, ({ albums }) => (albums.length > 0 ? albums : undefined), { until: 3 }),
  of.num('albums', ({ view, albums }) => (albums.length > 0 ? undefined : view.albumCount), { until: 4 }),
  of.num('albumcount', ({ view }) => view.albumCount, { since: 4 }),
  of.list('songs', songObject, ({ songs }) => songs, { since: 5, xml: 'wrapped', item: 'song' }),
  of.list('songs', songObject, ({ songs }) => (songs.length > 0 ? songs : undefined), { since: 4, until: 4, xml: 'wrapped', item: 'song' }),
  of.object('songs', countedSongs('songs'), ({ songs }) => (songs.length > 0 ? songs : undefined), { until: 3 }),
  of.num('songs', ({ view, songs }) => (songs.length > 0 ? undefined : view.songCount), { until: 4 }),
  of.num('songcount', ({ view }) => view.songCount, { since: 4 }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, xml: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, xml: 'none' }),
  of.text('art', ({ view }, { links }) => links.art('artist', view.id)),
  of.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativeArtist>(({ view }) => view.annotations),
  of.text('mbid', ({ view, facts }) => view.mbid ?? facts?.mbid ?? null),
  of.text('summary', ({ facts }) => facts?.summary ?? null),
  of.num('time', ({ view }) => seconds(view.durationMs), { since: 4 }),
  of.num('yearformed', ({ facts }) => facts?.yearFormed ?? 0),
  of.text('placeformed', ({ facts }) => facts?.placeFormed ?? null),
]);
