import type { ReadDatabase } from '../database/database.js';
import type { Page } from '../library/album-list.reads.js';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../visibility/viewer.js';
import { sql } from 'kysely';

/** A genre as lists show it. */
export interface GenreRecord {
  readonly id: number;
  readonly name: string;
  readonly songCount: number;
  readonly albumCount: number;
}

/** Counts what carries each genre, in visible catalogs. */
const visibleGenres = async (db: ReadDatabase, viewer: Viewer): Promise<GenreRecord[]> => {
  const { rows } = await sql<GenreRecord>`
    select g.id, g.name, n.songs::int as "songCount", n.albums::int as "albumCount" from (
      select sg.genre_id, count(*) as songs, count(distinct s.album_id) as albums
      from library.song_genre sg join library.song s on s.id = sg.song_id where ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} group by sg.genre_id) n
    join library.genre g on g.id = n.genre_id order by g.name_sort, g.id`.execute(db);
  return rows;
};

/** Genres that have a song that the viewer may see, by name. */
export const allGenres = async (db: ReadDatabase, viewer: Viewer): Promise<GenreRecord[]> => {
  if (!seesAll(viewer)) return visibleGenres(db, viewer);
  const rows = await db
    .selectFrom('library.genre')
    .select(['id', 'name', 'song_count', 'album_count'])
    .where('song_count', '>', 0)
    .orderBy('name_sort')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, name: row.name, songCount: row.song_count, albumCount: row.album_count }));
};

/** Ids of the songs of one of the genres, by id. */
export const songIdsByGenre = async (db: ReadDatabase, scope: CatalogScope, genreIds: readonly number[], page: Page): Promise<number[]> => {
  if (genreIds.length === 0 || page.limit === 0) return [];
  let query = db
    .selectFrom('library.song_genre as g')
    .select('g.song_id')
    .where((eb) => eb('g.genre_id', '=', eb.fn.any(eb.val([...genreIds]))));
  if (genreIds.length > 1) query = query.distinct();
  if (scope !== 'all') query = query.innerJoin('library.song as s', 's.id', 'g.song_id').where(onlyIn('s.catalog_id', scope));
  const rows = await query.orderBy('g.song_id').limit(page.limit).offset(page.offset).execute();
  return rows.map((row) => row.song_id);
};
