import type { ReadDatabase } from '../database/database.js';

/** A picture that is known under its hash. */
export interface ArtRecord {
  readonly hash: string;
  readonly mime: string;
}

/** Reads a picture of the library: from an album, from a feed, or found for an artist or album; undefined for an unknown hash. */
export const artByHash = (db: ReadDatabase, hash: string): Promise<ArtRecord | undefined> =>
  db
    .selectFrom('library.art')
    .select(['hash', 'mime'])
    .where('hash', '=', hash)
    .unionAll(db.selectFrom('library.podcast_art').select(['art_hash as hash', 'art_mime as mime']).where('art_hash', '=', hash))
    .unionAll(db.selectFrom('library.found_art').select(['art_hash as hash', 'art_mime as mime']).where('art_hash', '=', hash))
    .limit(1)
    .executeTakeFirst();
