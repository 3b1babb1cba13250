import type { NamedView } from '../../../kinds/names.reads.js';
import type { NativeAlbum } from './album.object.js';
import type { NativeArtist } from './artist.object.js';
import { nativeObject } from './native-object.js';
import { NOBODY, referenceObject } from './reference.object.js';
import type { NativeSong } from './song.object.js';

/*
 * The reduced forms that XML has in place of whole objects where only names are looked for: `get_indexes`, `search_group` and the like.
 * References are nested from version 6 on and bare text before.
 */

const since6 = { since: 6 } as const;
const until5 = { until: 5 } as const;

/** A song by its names and its position on the album. */
export const slimSongObject = nativeObject<NativeSong>('song', (of) => [
  of.id('id', ({ view }) => view.doc.id),
  of.text('title', ({ view }) => view.doc.title),
  of.text('name', ({ view }) => view.doc.title),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY),
  of.object('album', referenceObject, ({ view }) => view.doc.album),
  of.object('albumartist', referenceObject, ({ view }) => view.doc.albumArtists[0], { optional: true }),
  of.int('disk', ({ view }) => view.doc.disk, { xml: 'cdata' }),
  of.int('track', ({ view }) => view.doc.track),
]);

/** An album by its name and artist. */
export const slimAlbumObject = nativeObject<NativeAlbum>('album', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  of.text('basename', ({ view }) => view.basename, since6),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0], { ...since6, optional: true }),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY, until5),
]);

/** An artist with the names of its albums. */
export interface SlimArtist {
  readonly view: Pick<NativeArtist['view'], 'id' | 'name' | 'prefix' | 'basename'>;
  readonly albumNames: readonly NamedView[];
}

/** An artist by its name and albums. */
export const slimArtistObject = nativeObject<SlimArtist>('artist', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  of.text('basename', ({ view }) => view.basename, since6),
  of.list('album', referenceObject, ({ albumNames }) => albumNames),
]);
