import { objectTable, rowsOf } from '../../../render/index.js';
import type { NamedView } from '../../../kinds/names.reads.js';
import type { NativeAlbum } from './album.object.js';
import type { NativeArtist } from './artist.object.js';
import type { NativeContext } from './context.js';
import { NOBODY, referenceObject } from './reference.object.js';
import type { NativeSong } from './song.object.js';

/*
 * The reduced forms that XML has in place of whole objects where only names are looked for: `get_indexes`, `search_group` and the like.
 * References are nested from version 6 on and bare text before.
 */

const since6 = { since: 6 } as const;
const until5 = { until: 5 } as const;

const song = rowsOf<NativeSong, NativeContext>();

/** A song by its names and its position on the album. */
export const slimSongObject = objectTable<NativeSong, NativeContext>('song', [
  song.id('id', ({ view }) => view.doc.id),
  song.text('title', ({ view }) => view.doc.title),
  song.text('name', ({ view }) => view.doc.title),
  song.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY),
  song.object('album', referenceObject, ({ view }) => view.doc.album),
  song.object('albumartist', referenceObject, ({ view }) => view.doc.albumArtists[0], { optional: true }),
  song.int('disk', ({ view }) => view.doc.disk, { xml: 'cdata' }),
  song.int('track', ({ view }) => view.doc.track),
]);

const album = rowsOf<NativeAlbum, NativeContext>();

/** An album by its name and artist. */
export const slimAlbumObject = objectTable<NativeAlbum, NativeContext>('album', [
  album.id('id', ({ view }) => view.id),
  album.text('name', ({ view }) => view.name),
  album.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  album.text('basename', ({ view }) => view.basename, since6),
  album.object('artist', referenceObject, ({ view }) => view.doc.artists[0], { ...since6, optional: true }),
  album.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY, until5),
]);

/** An artist with the names of its albums. */
export interface SlimArtist {
  readonly view: Pick<NativeArtist['view'], 'id' | 'name' | 'prefix' | 'basename'>;
  readonly albumNames: readonly NamedView[];
}

const artist = rowsOf<SlimArtist, NativeContext>();

/** An artist by its name and albums. */
export const slimArtistObject = objectTable<SlimArtist, NativeContext>('artist', [
  artist.id('id', ({ view }) => view.id),
  artist.text('name', ({ view }) => view.name),
  artist.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  artist.text('basename', ({ view }) => view.basename, since6),
  artist.list('album', referenceObject, ({ albumNames }) => albumNames),
]);
