import type { AlbumView } from '../../../reads/library/albums.reads.js';
import { annotationRows } from './annotation-rows.js';
import { seconds } from './context.js';
import { includedRows } from './included-rows.js';
import { nativeObject } from './native-object.js';
import { NOBODY, referenceObject, tagObject } from './reference.object.js';
import { songObject, type NativeSong } from './song.object.js';

/** An album with its songs, if included. */
export interface NativeAlbum {
  readonly view: AlbumView;
  readonly tracks?: readonly NativeSong[] | undefined;
}

const since6 = { since: 6 } as const;

/** Credits; undefined when there are none. */
const credited = <V>({ view }: NativeAlbum, value: V): V | undefined => (view.doc.artists.length > 0 ? value : undefined);

/** Fields of an album by version (golden cases `album*`). */
export const albumObject = nativeObject<NativeAlbum>('album', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name, { since: 4 }),
  of.text('name', ({ view }) => view.basename, { until: 3 }),
  of.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  of.text('basename', ({ view }) => view.basename, since6),
  of.object('artist', referenceObject, (album) => credited(album, album.view.doc.artists[0]), { since: 6, xml: 'none', optional: true }),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY, { until: 5 }),
  of.list('artist', referenceObject, ({ view }) => view.doc.artists, { since: 6, json: 'none' }),
  of.list('artists', referenceObject, (album) => credited(album, album.view.doc.artists), { since: 6, xml: 'none', optional: true }),
  of.list('songartists', referenceObject, (album) => credited(album, album.view.doc.songArtists), {
    since: 6,
    xmlName: 'songartist',
    optional: true,
  }),
  of.int('time', ({ view }) => seconds(view.durationMs), { since: 4 }),
  of.int('year', ({ view }) => view.year),
  ...includedRows('tracks', ['song', songObject], { get: ({ tracks }: NativeAlbum) => tracks, countOf: ({ view }) => view.songCount }),
  of.int('songcount', ({ view }) => view.songCount, { since: 4 }),
  of.int('diskcount', ({ view }) => view.diskCount, { since: 5 }),
  of.word('type', ({ view }) => view.releaseType, { since: 4, nullable: true }),
  of.int('disk', ({ view }) => view.diskCount, { until: 4 }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5 }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4 }),
  of.text('art', ({ view }, { links }) => links.art('album', view.id)),
  of.bool('has_art', ({ view }) => view.artHash !== null, since6),
  ...annotationRows<NativeAlbum>(({ view }) => view.annotations, null),
  of.text('mbid', ({ view }) => view.mbid, { nullable: true }),
  of.text('mbid_group', ({ view }) => view.mbidGroup, { ...since6, nullable: true }),
  of.id('catalog', ({ view }) => view.catalogId, { since: 8, xml: 'element' }),
]);
