import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Page } from '../library/album-list.reads.js';
import { isVisibleArtist, tookPart } from '../visibility/artist-visibility.js';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../database/database.js';

/** Kinds whose favourites are listed, with the condition that a row of theirs is there to be listed. */
const sources = {
  song: (scope: CatalogScope) => sql`join library.song t on t.id = f.object_id and ${inScope('t.catalog_id', scope)}`,
  album: (scope: CatalogScope) =>
    sql`join library.album t on t.id = f.object_id and t.song_count > 0 and ${inScope('t.catalog_id', scope)}`,
  artist: (scope: CatalogScope) => sql`join library.artist t on t.id = f.object_id and ${isThere(scope)}`,
} as const;

const inScope = (column: string, scope: CatalogScope): RawBuilder<SqlBool> =>
  scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${onlyIn(column, scope)}`;

const isThere = (catalogs: CatalogScope): RawBuilder<SqlBool> => {
  const scope = { catalogs };
  return sql<SqlBool>`(${isVisibleArtist(scope, sql`t.id`)} and (t.song_count > 0 or t.album_count > 0 or ${tookPart(scope, sql`t.id`)}))`;
};

/** Ids of a user's favourites of a kind, the newest first; all of them without a page. */
export const favouriteIds = async (
  db: ReadDatabase,
  userId: number,
  { kind, scope }: { readonly kind: keyof typeof sources; readonly scope: CatalogScope },
  page?: Page,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select f.object_id as id from social.user_flag f ${sources[kind](scope)}
    where f.user_id = ${userId} and f.kind = ${kind}
    order by f.flagged_at_ms desc, f.object_id desc ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(db);
  return rows.map((row) => row.id);
};

/** Ids of the albums that somebody rated, best mean first; of equal ones the one with more ratings. */
export const bestRatedAlbumIds = async (db: ReadDatabase, scope: CatalogScope, page: Page): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select r.object_id as id from social.rating_average r
    join library.album t on t.id = r.object_id and t.song_count > 0 and ${inScope('t.catalog_id', scope)}
    where r.kind = 'album'
    order by (r.rating_sum::float8 / nullif(r.rating_count, 0)) desc, r.rating_count desc, r.object_id
    limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows.map((row) => row.id);
};
