import { objectTable } from '../../render/object-table.js';
import { artistId3, folderArtist } from './artist.object.js';
import { fieldsOf } from './fields.js';

/** What is known of an artist or an album from outside the library. */
export interface OutsideInfo {
  readonly mbid: string | undefined;
}

const fields = fieldsOf<OutsideInfo>();
const musicBrainzId = fields.element('musicBrainzId', ({ mbid }) => mbid);

/** About an album (schema type AlbumInfo). */
export const albumInfo = objectTable<OutsideInfo, undefined>('albumInfo', [musicBrainzId]);

/** About an artist, in folder mode (schema type ArtistInfo). */
export const artistInfo = objectTable<OutsideInfo, undefined>('artistInfo', [
  musicBrainzId,
  fields.many('similarArtist', folderArtist, () => []),
]);

/** About an artist (schema type ArtistInfo2). */
export const artistInfo2 = objectTable<OutsideInfo, undefined>('artistInfo2', [
  musicBrainzId,
  fields.many('similarArtist', artistId3, () => []),
]);
