import { objectTable } from '../../../render/object-table.js';
import type { CountedArtist } from '../../../reads/library/artist-albums.reads.js';
import { artistEntry, artistId3, folderArtist } from './artist.object.js';
import { fieldsOf, OPTIONAL } from './fields.js';

/** External metadata of an album. */
export interface AlbumInfo {
  readonly mbid: string | undefined;
  /** Description, with its source's attribution. */
  readonly text: string | undefined;
  readonly lastFmUrl: string | undefined;
}
/** External metadata of an artist. */
export interface ArtistInfo extends AlbumInfo {
  /** Similar artists of the library, the most similar first; then absent ones, if requested. */
  readonly similar: readonly CountedArtist[];
}

const ofAlbum = fieldsOf<AlbumInfo>();
const ofArtist = fieldsOf<ArtistInfo>();

/** Album info (schema type AlbumInfo). */
export const albumInfo = objectTable<AlbumInfo, undefined>('albumInfo', [
  ofAlbum.element('notes', ({ text }) => text, OPTIONAL),
  ofAlbum.element('musicBrainzId', ({ mbid }) => mbid, OPTIONAL),
  ofAlbum.element('lastFmUrl', ({ lastFmUrl }) => lastFmUrl, OPTIONAL),
]);

const aboutArtist = [
  ofArtist.element('biography', ({ text }) => text, OPTIONAL),
  ofArtist.element('musicBrainzId', ({ mbid }) => mbid, OPTIONAL),
  ofArtist.element('lastFmUrl', ({ lastFmUrl }) => lastFmUrl, OPTIONAL),
];

/** Artist info in folder mode (schema type ArtistInfo). */
export const artistInfo = objectTable<ArtistInfo, undefined>('artistInfo', [
  ...aboutArtist,
  ofArtist.many('similarArtist', folderArtist, ({ similar }) => similar.map(artistEntry)),
]);

/** Artist info by tags (schema type ArtistInfo2). */
export const artistInfo2 = objectTable<ArtistInfo, undefined>('artistInfo2', [
  ...aboutArtist,
  ofArtist.many('similarArtist', artistId3, ({ similar }) => similar),
]);
