import type { ArtistView } from '../../../reads/library/artists.reads.js';
import type { ArtistMetadataView } from '../../../reads/library/external-metadata.reads.js';
import { albumObject, type NativeAlbum } from './album.object.js';
import { annotationRows } from './annotation-rows.js';
import { seconds } from './context.js';
import { nativeObject } from './native-object.js';
import { tagObject } from './reference.object.js';
import { countedSongs, filled, songObject, type NativeSong } from './song.object.js';

/** An artist with its albums and songs, if included. */
export interface NativeArtist {
  readonly view: ArtistView;
  /** External metadata; absent when it was not requested. */
  readonly facts?: ArtistMetadataView | undefined;
  readonly albums?: readonly NativeAlbum[] | undefined;
  readonly songs?: readonly NativeSong[] | undefined;
}

const since6 = { since: 6 } as const;

/** Albums of an artist in version 3, see {@link countedSongs}. */
const countedAlbums = nativeObject<readonly NativeAlbum[]>('albums', (of) => [
  of.int('total_count', (albums) => albums.length),
  of.list('album', albumObject, (albums) => albums),
]);

/** Fields of an artist by version (golden cases `artist*`). */
export const artistObject = nativeObject<NativeArtist>('artist', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  of.text('basename', ({ view }) => view.basename, since6),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, json: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, json: 'none' }),
  of.list('albums', albumObject, ({ albums = [] }) => albums, { since: 5, xml: 'wrapped', item: 'album' }),
  // Up to version 4 numbers unless albums or songs are included; in version 3 also for empty lists.
  of.list('albums', albumObject, ({ albums }) => albums, {
    since: 4,
    until: 4,
    xml: 'wrapped',
    item: 'album',
    optional: true,
  }),
  of.object('albums', countedAlbums, ({ albums }) => filled(albums), { until: 3, optional: true }),
  of.int('albums', ({ view, albums }) => (albums ? undefined : view.albumCount), { since: 4, until: 4, optional: true }),
  of.int('albums', ({ view, albums }) => (filled(albums) ? undefined : view.albumCount), { until: 3, optional: true }),
  of.int('albumcount', ({ view }) => view.albumCount, { since: 4 }),
  of.list('songs', songObject, ({ songs = [] }) => songs, { since: 5, xml: 'wrapped', item: 'song' }),
  of.list('songs', songObject, ({ songs }) => songs, { since: 4, until: 4, xml: 'wrapped', item: 'song', optional: true }),
  of.object('songs', countedSongs('songs'), ({ songs }) => filled(songs), { until: 3, optional: true }),
  of.int('songs', ({ view, songs }) => (songs ? undefined : view.songCount), { since: 4, until: 4, optional: true }),
  of.int('songs', ({ view, songs }) => (filled(songs) ? undefined : view.songCount), { until: 3, optional: true }),
  of.int('songcount', ({ view }) => view.songCount, { since: 4 }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, xml: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, xml: 'none' }),
  of.text('art', ({ view }, { links }) => links.art('artist', view.id)),
  of.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativeArtist>(({ view }) => view.annotations),
  of.text('mbid', ({ view, facts }) => view.mbid ?? facts?.mbid ?? null, { nullable: true }),
  of.text('summary', ({ facts }) => facts?.summary ?? null, { nullable: true }),
  of.int('time', ({ view }) => seconds(view.durationMs), { since: 4 }),
  of.int('yearformed', ({ facts }) => facts?.yearFormed ?? 0),
  of.text('placeformed', ({ facts }) => facts?.placeFormed ?? null, { nullable: true }),
]);
