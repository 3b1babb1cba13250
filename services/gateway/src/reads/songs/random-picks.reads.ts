import type { ReadDatabase } from '../database/database.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { NamedGenre } from '../library/album-list.reads.js';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';

/** Filters of random songs. */
export interface SongLimits {
  readonly scope: CatalogScope;
  readonly fromYear?: number;
  readonly toYear?: number;
  /** Genres, any of which will do; absent for all. */
  readonly genres?: readonly NamedGenre[];
  /** Further conditions on `t`, of which there are `id`, `catalog_id` and `year`. */
  readonly conditions?: readonly RawBuilder<SqlBool>[];
}

/** Rows are looked at in the order of their random keys from a random place; this many for each one that is wanted, and at least so many. */
const WINDOW_FACTOR = 8;
const WINDOW_MIN = 2000;

const idsOf = (genres: readonly NamedGenre[]): number[] => genres.map((genre) => genre.id);

const songConditions = (limits: SongLimits): RawBuilder<SqlBool>[] => [
  ...(limits.conditions ?? []),
  ...(limits.scope === 'all' ? [] : [sql<SqlBool>`${onlyIn('t.catalog_id', limits.scope)}`]),
  ...(limits.fromYear === undefined ? [] : [sql<SqlBool>`t.year >= ${limits.fromYear}`]),
  ...(limits.toYear === undefined ? [] : [sql<SqlBool>`t.year <= ${limits.toYear}`]),
  ...(limits.genres === undefined
    ? []
    : [
        sql<SqlBool>`exists (select 1 from library.song_genre g where g.song_id = t.id and g.genre_id = any(${idsOf(limits.genres)}::int[]))`,
      ]),
];

/** Columns of the conditions; the rest of the wide rows is not read. */
const columns = sql`id, catalog_id, year`;

/** Condition of listed rows, as in the table's index on random keys. */
const listed = { 'library.song': sql<SqlBool>`true`, 'library.album': sql<SqlBool>`song_count > 0` } as const;

interface Picking {
  readonly table: 'library.song' | 'library.album';
  readonly conditions: readonly RawBuilder<SqlBool>[];
  readonly count: number;
  /** In [0, 1). */
  readonly start: number;
}

const allOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/** A random sample of a window of rows that starts at a random key and wraps around. */
const sample = async (db: ReadDatabase, picking: Picking): Promise<number[]> => {
  const { start, count, conditions } = picking;
  const table = sql.table(picking.table);
  const isListed = listed[picking.table];
  const window = Math.max(count * WINDOW_FACTOR, WINDOW_MIN);
  const rows = await sql<{ id: number }>`
    select t.id from (
      (select ${columns} from ${table} where random_key >= ${start} and ${isListed} order by random_key limit ${window})
      union all
      (select ${columns} from ${table} where random_key < ${start} and ${isListed} order by random_key limit ${window})
      limit ${window}
    ) t where ${allOf(conditions)} order by random() limit ${count}`.execute(db);
  return rows.rows.map((row) => row.id);
};

/** A random pick out of everything that matches; for what is so rare that a window does not hold enough of it. */
const exhaustive = async (db: ReadDatabase, { table, conditions, count }: Picking): Promise<number[]> => {
  const rows = await sql<{ id: number }>`
    select t.id from ${sql.table(table)} t where ${listed[table]} and ${allOf(conditions)} order by random() limit ${count}`.execute(db);
  return rows.rows.map((row) => row.id);
};

/** A random pick out of the songs of a genre that few songs have. */
const ofRareGenres = async (
  db: ReadDatabase,
  genres: readonly NamedGenre[],
  conditions: readonly RawBuilder<SqlBool>[],
  count: number,
): Promise<number[]> => {
  const rows = await sql<{ id: number }>`
    with tagged as materialized (select distinct song_id from library.song_genre where genre_id = any(${idsOf(genres)}::int[]))
    select g.song_id as id from tagged g ${conditions.length === 0 ? sql`` : sql`join library.song t on t.id = g.song_id where ${allOf(conditions)}`}
    order by random() limit ${count}`.execute(db);
  return rows.rows.map((row) => row.id);
};

/** A genre with more songs than this is looked for among random songs, one with fewer among its own. */
const RARE_GENRE_SONGS = 100_000;

/** Ids of random songs within limits, another choice at each call. */
export const randomSongIds = async (db: ReadDatabase, limits: SongLimits, count: number, start: number): Promise<number[]> => {
  const { genres, ...others } = limits;
  if (genres?.length === 0 || (limits.scope !== 'all' && limits.scope.length === 0)) return [];
  const isRare = genres !== undefined && genres.reduce((sum, genre) => sum + genre.songCount, 0) <= RARE_GENRE_SONGS;
  if (isRare) return ofRareGenres(db, genres, songConditions(others), count);
  const picking: Picking = { table: 'library.song', conditions: songConditions(limits), count, start };
  const picked = await sample(db, picking);
  return picked.length >= count || picking.conditions.length === 0 ? picked : exhaustive(db, picking);
};

/** Ids of random albums, another choice at each call. */
export const randomAlbumIds = async (db: ReadDatabase, scope: CatalogScope, count: number, start: number): Promise<number[]> => {
  if (scope !== 'all' && scope.length === 0) return [];
  const conditions = scope === 'all' ? [] : [sql<SqlBool>`${onlyIn('t.catalog_id', scope)}`];
  const picking: Picking = { table: 'library.album', conditions, count, start };
  const picked = await sample(db, picking);
  return picked.length >= count || conditions.length === 0 ? picked : exhaustive(db, picking);
};
