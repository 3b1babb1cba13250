import type { NameRef } from '@continuo/contracts';
import { objectTable, rowsOf } from '../../render/index.js';
import type { AlbumDiskView } from '../../reads/album-disks.reads.js';
import { annotationRows } from './annotation-rows.js';
import { seconds, type NativeContext } from './context.js';
import { referenceObject, tagObject } from './reference.object.js';
import { songObject, type NativeSong } from './song.object.js';

/** A disk of an album with the songs that the caller asked to be included. */
export interface NativeAlbumDisk {
  readonly view: AlbumDiskView;
  readonly tracks: readonly NativeSong[];
}

const of = rowsOf<NativeAlbumDisk, NativeContext>();

/** Credits are left out as a whole when nobody is credited for the album, as albums do. */
const credited = <V>({ view: { album } }: NativeAlbumDisk, pick: (artists: readonly NameRef[]) => V): V | undefined =>
  album.doc.artists.length > 0 ? pick(album.doc.artists) : undefined;

/** versions.md sections 6.1 and 7.1; version 8 alone has it. */
export const albumDiskObject = objectTable<NativeAlbumDisk, NativeContext>('album_disk', [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.album.name),
  of.text('prefix', ({ view }) => view.album.prefix),
  of.text('basename', ({ view }) => view.album.basename),
  of.object('album', referenceObject, ({ view }) => view.album),
  of.object('artist', referenceObject, (disk) => credited(disk, ([first]) => first), { xml: 'none' }),
  of.list('artist', referenceObject, ({ view }) => view.album.doc.artists, { json: 'none' }),
  of.list('artists', referenceObject, (disk) => credited(disk, (artists) => artists), { xml: 'none' }),
  of.list('songartists', referenceObject, (disk) => credited(disk, () => disk.view.album.doc.songArtists), { xmlName: 'songartist' }),
  of.num('disk', ({ view }) => view.disk),
  of.text('disksubtitle', ({ view }) => view.subtitle),
  of.num('time', ({ view }) => seconds(view.durationMs)),
  of.num('year', ({ view }) => view.album.year),
  of.list('tracks', songObject, ({ tracks }) => tracks, { xml: 'wrapped', item: 'song' }),
  of.num('songcount', ({ view }) => view.songCount),
  of.word('type', ({ view }) => view.album.releaseType),
  of.list('genre', tagObject, ({ view }) => view.album.doc.genres),
  of.text('art', ({ view }, { links }) => links.art('album_disk', view.id)),
  of.bool('has_art', ({ view }) => view.album.artHash !== null),
  ...annotationRows<NativeAlbumDisk>(({ view }) => view.annotations),
  of.text('mbid', ({ view }) => view.album.mbid),
  of.text('mbid_group', ({ view }) => view.album.mbidGroup),
  of.id('catalog', ({ view }) => view.catalogId, { xml: 'element' }),
]);
