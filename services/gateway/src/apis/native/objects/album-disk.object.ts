import type { NameRef } from '@continuo/contracts';
import type { AlbumDiskView } from '../../../reads/library/album-disks.reads.js';
import { annotationRows } from './annotation-rows.js';
import { seconds } from './context.js';
import { nativeObject } from './native-object.js';
import { referenceObject, tagObject } from './reference.object.js';
import { songObject, type NativeSong } from './song.object.js';

/** A disk with its songs, if included. */
export interface NativeAlbumDisk {
  readonly view: AlbumDiskView;
  readonly tracks: readonly NativeSong[];
}

/** Credits of the album; undefined when there are none. */
const credited = <V>({ view: { album } }: NativeAlbumDisk, pick: (artists: readonly NameRef[]) => V): V | undefined =>
  album.doc.artists.length > 0 ? pick(album.doc.artists) : undefined;

/** Fields of a disk; version 8 only. */
export const albumDiskObject = nativeObject<NativeAlbumDisk>('album_disk', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.album.name),
  of.text('prefix', ({ view }) => view.album.prefix, { nullable: true }),
  of.text('basename', ({ view }) => view.album.basename),
  of.object('album', referenceObject, ({ view }) => view.album),
  of.object('artist', referenceObject, (disk) => credited(disk, ([first]) => first), { xml: 'none', optional: true }),
  of.list('artist', referenceObject, ({ view }) => view.album.doc.artists, { json: 'none' }),
  of.list('artists', referenceObject, (disk) => credited(disk, (artists) => artists), { xml: 'none', optional: true }),
  of.list('songartists', referenceObject, (disk) => credited(disk, () => disk.view.album.doc.songArtists), {
    xmlName: 'songartist',
    optional: true,
  }),
  of.int('disk', ({ view }) => view.disk),
  of.text('disksubtitle', ({ view }) => view.subtitle, { nullable: true }),
  of.int('time', ({ view }) => seconds(view.durationMs)),
  of.int('year', ({ view }) => view.album.year),
  of.list('tracks', songObject, ({ tracks }) => tracks, { xml: 'wrapped', item: 'song' }),
  of.int('songcount', ({ view }) => view.songCount),
  of.word('type', ({ view }) => view.album.releaseType, { nullable: true }),
  of.list('genre', tagObject, ({ view }) => view.album.doc.genres),
  of.text('art', ({ view }, { links }) => links.art('album_disk', view.id)),
  of.bool('has_art', ({ view }) => view.album.artHash !== null),
  ...annotationRows<NativeAlbumDisk>(({ view }) => view.annotations),
  of.text('mbid', ({ view }) => view.album.mbid, { nullable: true }),
  of.text('mbid_group', ({ view }) => view.album.mbidGroup, { nullable: true }),
  of.id('catalog', ({ view }) => view.catalogId, { xml: 'element' }),
]);
