import { objectTable } from '../../render/object-table.js';
import type { ArtistView } from '../../reads/artists.reads.js';
import { artistEntry, artistId3, folderArtist } from './artist.object.js';
import { fieldsOf } from './fields.js';

/** What is known of an album beside what its songs say. */
export interface AlbumInfo {
  readonly mbid: string | undefined;
  /** A text about it, by whoever knows one. */
  readonly text: string | undefined;
  readonly lastFmUrl: string | undefined;
}
/** What is known of an artist beside the albums. */
export interface ArtistInfo extends AlbumInfo {
  /** Artists of the library, the most similar first; then those that it does not have, where they are wanted. */
  readonly similar: readonly ArtistView[];
}

const ofAlbum = fieldsOf<AlbumInfo>();
const ofArtist = fieldsOf<ArtistInfo>();

/** About an album (schema type AlbumInfo). */
export const albumInfo = objectTable<AlbumInfo, undefined>('albumInfo', [
  ofAlbum.element('notes', ({ text }) => text),
  ofAlbum.element('musicBrainzId', ({ mbid }) => mbid),
  ofAlbum.element('lastFmUrl', ({ lastFmUrl }) => lastFmUrl),
]);

const aboutArtist = [
  ofArtist.element('biography', ({ text }) => text),
  ofArtist.element('musicBrainzId', ({ mbid }) => mbid),
  ofArtist.element('lastFmUrl', ({ lastFmUrl }) => lastFmUrl),
];

/** About an artist, in folder mode (schema type ArtistInfo). */
export const artistInfo = objectTable<ArtistInfo, undefined>('artistInfo', [
  ...aboutArtist,
  ofArtist.many('similarArtist', folderArtist, ({ similar }) => similar.map(artistEntry)),
]);

/** About an artist (schema type ArtistInfo2). */
export const artistInfo2 = objectTable<ArtistInfo, undefined>('artistInfo2', [
  ...aboutArtist,
  ofArtist.many('similarArtist', artistId3, ({ similar }) => similar),
]);
