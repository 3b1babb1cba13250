import type { ReadDatabase } from './database.js';
import type { Page } from './album-list.reads.js';
import { onlyIn, type CatalogScope } from './catalog-scope.reads.js';

/** A genre as lists show it. */
export interface GenreRecord {
  readonly id: number;
  readonly name: string;
  readonly songCount: number;
  readonly albumCount: number;
}

/** Genres that have a song, by name. */
export const allGenres = async (db: ReadDatabase): Promise<GenreRecord[]> => {
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
