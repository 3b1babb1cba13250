import { sql } from 'kysely';
import type { ReadDatabase } from './database.js';
import { inOrder } from './songs.reads.js';

/** A genre with what carries it. */
export interface GenreView {
  readonly id: number;
  readonly name: string;
  readonly songCount: number;
  readonly albumCount: number;
  readonly artistCount: number;
}

/** Genres by id, in the order of the ids. */
export const genresByIds = async (db: ReadDatabase, ids: ArrayLike<number>): Promise<GenreView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.genre as g')
    .select(['g.id', 'g.name', 'g.song_count as songCount', 'g.album_count as albumCount', 'g.artist_count as artistCount'])
    .where(sql<boolean>`g.id = any(${Array.from(ids)}::int[])`)
    .execute();
  return inOrder(ids, rows);
};
