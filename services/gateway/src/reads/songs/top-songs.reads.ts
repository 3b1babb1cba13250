import type { ReadDatabase } from '../database/database.js';

/** The artist of a name: the one that is spelt so, else the first whose folded sort key is the same. */
export const artistIdNamed = async (db: ReadDatabase, name: string, sortKey: string): Promise<number | undefined> => {
  const rows = await db
    .selectFrom('library.artist')
    .select(['id', 'name'])
    .where('name_sort', '=', sortKey)
    .orderBy('id')
    .limit(100)
    .execute();
  return (rows.find((row) => row.name === name) ?? rows[0])?.id;
};

/** Ids of the played songs that credit an artist, the most played first. */
export const topSongIds = async (db: ReadDatabase, artistId: number, limit: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('library.song_artist as sa')
    .innerJoin('playback.song_plays as p', 'p.song_id', 'sa.song_id')
    .select('sa.song_id')
    .where('sa.artist_id', '=', artistId)
    .where('p.play_count', '>', 0)
    .orderBy('p.play_count', 'desc')
    .orderBy('sa.song_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.song_id);
};
