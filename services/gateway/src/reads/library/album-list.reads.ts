import type { ReadDatabase } from '../database/database.js';
import { sql } from 'kysely';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The orders of album lists that are kept by an index of their own. */
export type AlbumOrder = 'name' | 'artist' | 'newest' | 'id';

const albums = (db: ReadDatabase, scope: CatalogScope) => {
  const query = db.selectFrom('library.album').select('id').where('song_count', '>', 0);
  return scope === 'all' ? query : query.where(onlyIn('catalog_id', scope));
};

type AlbumIds = ReturnType<typeof albums>;

const orders: Record<AlbumOrder, (query: AlbumIds) => AlbumIds> = {
  name: (query) => query.orderBy('name_sort').orderBy('id'),
  artist: (query) => query.orderBy('artist_sort').orderBy('name_sort').orderBy('id'),
  newest: (query) => query.orderBy('added_at_ms', 'desc').orderBy('id', 'desc'),
  id: (query) => query.orderBy('id'),
};

const idsOf = async (query: AlbumIds, page: Page): Promise<number[]> =>
  (await query.limit(page.limit).offset(page.offset).execute()).map((row) => row.id);

/**
 * Ids of albums in an order. Only ids are skipped over, on the index of that order: the offset of the last page of 100,000 albums costs some
 * milliseconds.
 */
export const albumIdsInOrder = (db: ReadDatabase, scope: CatalogScope, order: AlbumOrder, page: Page): Promise<number[]> =>
  idsOf(orders[order](albums(db, scope)), page);

/** Ids of the albums of a span of years, both ends inclusive; a reversed span turns the order round. */
export const albumIdsByYear = (
  db: ReadDatabase,
  scope: CatalogScope,
  years: { from: number; to: number },
  page: Page,
): Promise<number[]> => {
  const [low, high] = years.from <= years.to ? [years.from, years.to] : [years.to, years.from];
  const direction = years.from <= years.to ? 'asc' : 'desc';
  const query = albums(db, scope).where('year', '>=', low).where('year', '<=', high);
  return idsOf(query.orderBy('year', direction).orderBy('name_sort', direction).orderBy('id', direction), page);
};

/** Ids of the albums with a song of one of the genres, by name. */
export const albumIdsByGenre = (db: ReadDatabase, scope: CatalogScope, genreIds: readonly number[], page: Page): Promise<number[]> => {
  if (genreIds.length === 0) return Promise.resolve([]);
  const query = albums(db, scope).where((eb) =>
    eb(
      'id',
      'in',
      eb
        .selectFrom('library.album_genre')
        .select('album_id')
        .where((inner) => inner('genre_id', '=', inner.fn.any(inner.val([...genreIds])))),
    ),
  );
  return idsOf(query.orderBy('name_sort').orderBy('id'), page);
};

/** So many plays are looked at for each album that is wanted, and at least so many. */
const PLAYS_PER_ALBUM = 12;
const PLAYS_MIN = 1000;

/** Albums of the latest plays, the latest first, and how many plays those were. */
const albumsOfLatestPlays = async (db: ReadDatabase, scope: CatalogScope, window: number): Promise<{ ids: number[]; plays: number }> => {
  const limits = scope === 'all' ? sql`` : sql`where ${onlyIn('s.catalog_id', scope)}`;
  const { rows } = await sql<{ id: number | null; plays: number }>`
    with latest as materialized (select song_id, last_played_at_ms from playback.song_plays where last_played_at_ms is not null
      order by last_played_at_ms desc, song_id limit ${window}),
    albums as (
      select s.album_id as id, max(l.last_played_at_ms) as played from latest l join library.song s on s.id = l.song_id ${limits} group by s.album_id
    )
    select a.id, (select count(*) from latest) as plays from (select 1) one left join albums a on true order by a.played desc nulls last, a.id
  `.execute(db);
  return { ids: rows.flatMap((row) => row.id ?? []), plays: rows[0]?.plays ?? 0 };
};

/** Ids of the albums that were played, by their latest play over all users. Looks at no more plays than the page needs. */
export const latelyPlayedAlbumIds = async (db: ReadDatabase, scope: CatalogScope, page: Page): Promise<number[]> => {
  const wanted = page.offset + page.limit;
  for (let window = Math.max(PLAYS_MIN, wanted * PLAYS_PER_ALBUM); ; window *= 4) {
    const { ids, plays } = await albumsOfLatestPlays(db, scope, window);
    if (ids.length >= wanted || plays < window) return ids.slice(page.offset, wanted);
  }
};

/** A genre that was asked for by name, with the number of its songs. */
export interface NamedGenre {
  readonly id: number;
  readonly songCount: number;
}

/** The genres with this name; letter case, accents and white space around it do not matter, and `name_sort` decides. */
export const genresNamed = (db: ReadDatabase, name: string, folded: string): Promise<NamedGenre[]> => {
  return db
    .selectFrom('library.genre')
    .select(['id', 'song_count as songCount'])
    .where((eb) => eb.or([eb('name', '=', name), eb('name_sort', '=', folded)]))
    .execute();
};
