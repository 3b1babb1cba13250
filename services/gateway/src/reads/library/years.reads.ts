import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** A year and what was released in it. */
export interface YearView {
  readonly year: number;
  readonly albums: number;
  readonly songs: number;
}

/** Years of the albums that a viewer may see, oldest first; albums without a year count in none. */
export const yearsOfAlbums = async (db: ReadDatabase, viewer: Viewer): Promise<YearView[]> =>
  db
    .selectFrom('library.album as a')
    .select(['a.year', sql<number>`count(*)::int`.as('albums'), sql<number>`sum(a.song_count)::int`.as('songs')])
    .where('a.year', '>', 0)
    .where('a.song_count', '>', 0)
    .where(inVisibleCatalogs(viewer, sql`a.catalog_id`))
    .groupBy('a.year')
    .orderBy('a.year')
    .execute();
