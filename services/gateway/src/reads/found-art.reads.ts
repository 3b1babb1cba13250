import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from './database.js';

/** The picture of an album `a`: that of its files, else what a plug-in found. */
export const albumArtHash: RawBuilder<string | null> = sql<
  string | null
>`coalesce(a.art_hash, (select f.art_hash from library.found_art f where f.kind = 'album' and f.object_id = a.id))`;

interface Pictured {
  readonly id: number;
  readonly artHash: string | null;
  /** The album whose cover the picture is; null for a picture of its own, and for none. */
  readonly artAlbumId: number | null;
}

/** The same artists with the pictures that plug-ins found: before covers of albums, after pictures of their own. */
export const withFoundArt = async <A extends Pictured>(db: ReadDatabase, artists: A[]): Promise<A[]> => {
  if (artists.length === 0) return artists;
  const rows = await db
    .selectFrom('library.found_art')
    .select(['object_id as id', 'art_hash as hash'])
    .where('kind', '=', 'artist')
    .where('object_id', 'in', sql<number>`(select unnest(${artists.map(({ id }) => id)}::int[]))`)
    .execute();
  if (rows.length === 0) return artists;
  const found = new Map(rows.map(({ id, hash }) => [id, hash]));
  return artists.map((artist) => {
    const isOwn = artist.artHash !== null && artist.artAlbumId === null;
    return isOwn ? artist : { ...artist, artHash: found.get(artist.id) ?? artist.artHash };
  });
};
