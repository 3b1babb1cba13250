import { objectTable, rowsOf } from '../../render/index.js';
import type { AlbumView } from '../../reads/albums.reads.js';
import { annotationRows } from './annotation-rows.js';
import { seconds, type NativeContext } from './context.js';
import { NOBODY, referenceObject, tagObject } from './reference.object.js';
import { countedSongs, songObject, type NativeSong } from './song.object.js';

/** An album with the songs that the caller asked to be included. */
export interface NativeAlbum {
  readonly view: AlbumView;
  readonly tracks: readonly NativeSong[];
}

const of = rowsOf<NativeAlbum, NativeContext>();
const since6 = { since: 6 } as const;

/** Credits are left out as a whole when nobody is credited for the album. */
const credited = <V>({ view }: NativeAlbum, value: V): V | undefined => (view.doc.artists.length > 0 ? value : undefined);

/** versions.md sections 6.1 to 6.3 and 7.1 to 7.3. */
export const albumObject = objectTable<NativeAlbum, NativeContext>('album', [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name, { since: 4 }),
  of.text('name', ({ view }) => view.basename, { until: 3 }),
  of.text('prefix', ({ view }) => view.prefix, since6),
  of.text('basename', ({ view }) => view.basename, since6),
  of.object('artist', referenceObject, (album) => credited(album, album.view.doc.artists[0]), { since: 6, xml: 'none' }),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY, { until: 5 }),
  of.list('artist', referenceObject, ({ view }) => view.doc.artists, { since: 6, json: 'none' }),
  of.list('artists', referenceObject, (album) => credited(album, album.view.doc.artists), { since: 6, xml: 'none' }),
  of.list('songartists', referenceObject, (album) => credited(album, album.view.doc.songArtists), { since: 6, xmlName: 'songartist' }),
  of.num('time', ({ view }) => seconds(view.durationMs), { since: 4 }),
  of.num('year', ({ view }) => view.year),
  of.list('tracks', songObject, ({ tracks }) => tracks, { since: 5, xml: 'wrapped', item: 'song' }),
  // Up to version 4 a number where the songs are not asked for.
  of.list('tracks', songObject, ({ tracks }) => (tracks.length > 0 ? tracks : undefined), {
    since: 4,
    until: 4,
    xml: 'wrapped',
    item: 'song',
  }),
  of.object('tracks', countedSongs('tracks'), ({ tracks }) => (tracks.length > 0 ? tracks : undefined), { until: 3 }),
  of.num('tracks', ({ view, tracks }) => (tracks.length > 0 ? undefined : view.songCount), { until: 4 }),
  of.num('songcount', ({ view }) => view.songCount, { since: 4 }),
  of.num('diskcount', ({ view }) => view.diskCount, { since: 5 }),
  of.word('type', ({ view }) => view.releaseType, { since: 4 }),
  of.num('disk', ({ view }) => view.diskCount, { until: 4 }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5 }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4 }),
  of.text('art', ({ view }, { links }) => links.art('album', view.id)),
  of.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativeAlbum>(({ view }) => view.annotations, null),
  of.text('mbid', ({ view }) => view.mbid),
  of.text('mbid_group', ({ view }) => view.mbidGroup, since6),
  of.id('catalog', ({ view }) => view.catalogId, { since: 8, xml: 'element' }),
]);
