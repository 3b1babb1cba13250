import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from './songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** Deleted song. Times in epoch milliseconds. */
export interface DeletedSongView {
  readonly id: number;
  readonly catalogId: number;
  readonly title: string;
  readonly file: string;
  readonly albumId: number;
  readonly artistId: number | null;
  readonly addedAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number;
  readonly playCount: number;
  readonly skipCount: number;
}

/** Songs that are gone by id, in the order of the ids; those of catalogs that the viewer may not see are left out. */
export const deletedSongsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<DeletedSongView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.deleted_song as d')
    .leftJoin('playback.song_plays as p', 'p.song_id', 'd.song_id')
    .select(['d.song_id as id', 'd.catalog_id as catalogId', 'd.title', 'd.file', 'd.album_id as albumId', 'd.artist_id as artistId'])
    .select(['d.added_at_ms as addedAtMs', 'd.updated_at_ms as updatedAtMs', 'd.deleted_at_ms as deletedAtMs'])
    .select((eb) => [
      eb.fn.coalesce('p.play_count', sql<number>`0`).as('playCount'),
      eb.fn.coalesce('p.skip_count', sql<number>`0`).as('skipCount'),
    ])
    .where(isOneOf(sql<number>`d.song_id`, ids))
    .where(inVisibleCatalogs(viewer, sql`d.catalog_id`))
    .execute();
  return inOrder(ids, rows);
};
