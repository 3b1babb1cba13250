import { sql, type RawBuilder } from 'kysely';

/** The picture of an album `a`: that of its files, else what a plug-in found. */
export const albumArtHash: RawBuilder<string | null> = sql<
  string | null
>`coalesce(a.art_hash, (select f.art_hash from library.found_art f where f.kind = 'album' and f.object_id = a.id))`;

/** The picture that a plug-in found of an artist `a`. */
export const foundArtistArt: RawBuilder<string | null> = sql<
  string | null
>`(select f.art_hash from library.found_art f where f.kind = 'artist' and f.object_id = a.id)`;

interface Pictured {
  readonly artHash: string | null;
  /** As {@link foundArtistArt} reads it. */
  readonly foundArtHash: string | null;
  /** The album whose cover the picture is; null for a picture of its own, and for none. */
  readonly artAlbumId: number | null;
}

/** The same artist with the picture that a plug-in found: before covers of albums, after a picture of its own. */
export const withFoundArt = <A extends Pictured>({ foundArtHash, ...artist }: A) => {
  const isOwn = artist.artHash !== null && artist.artAlbumId === null;
  return isOwn ? artist : { ...artist, artHash: foundArtHash ?? artist.artHash };
};
