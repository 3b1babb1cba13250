import type { ArtistView } from '../../../reads/library/artists.reads.js';
import type { ArtistMetadataView } from '../../../reads/library/external-metadata.reads.js';
import { albumObject, type NativeAlbum } from './album.object.js';
import { annotationRows } from './annotation-rows.js';
import { seconds } from './context.js';
import { includedRows } from './included-rows.js';
import { nativeObject } from './native-object.js';
import { tagObject } from './reference.object.js';
import { songObject, type NativeSong } from './song.object.js';

/** An artist with its albums and songs, if included. */
export interface NativeArtist {
  readonly view: ArtistView;
  /** External metadata; absent when it was not requested. */
  readonly facts?: ArtistMetadataView | undefined;
  readonly albums?: readonly NativeAlbum[] | undefined;
  readonly songs?: readonly NativeSong[] | undefined;
}

const since6 = { since: 6 } as const;

/** Fields of an artist by version (golden cases `artist*`). */
export const artistObject = nativeObject<NativeArtist>('artist', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('name', ({ view }) => view.name),
  of.text('prefix', ({ view }) => view.prefix, { ...since6, nullable: true }),
  of.text('basename', ({ view }) => view.basename, since6),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, json: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, json: 'none' }),
  ...includedRows('albums', ['album', albumObject], { get: ({ albums }: NativeArtist) => albums, countOf: ({ view }) => view.albumCount }),
  of.int('albumcount', ({ view }) => view.albumCount, { since: 4 }),
  ...includedRows('songs', ['song', songObject], { get: ({ songs }: NativeArtist) => songs, countOf: ({ view }) => view.songCount }),
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
