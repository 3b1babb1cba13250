import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { annotationFilters, annotationSorts } from './annotations.js';
import { byColumns, type FilterRow, type ListDefinition, type SortRow } from './list-query.js';
import { isListedFor } from './playlist-access.js';
import { canOccur, flagFilter, idFilter, idsFilter, switchFilter, escapeLike, textFilters } from './text-filters.js';
import { inVisibleCatalogs, seesAll, type Viewer } from './viewer.js';

/** The prefix of smartlists' ids where they stand beside playlists (native README section 11). */
export const SMARTLIST_PREFIX = 'smart_';

/** How a row of a list of playlists and smartlists is spelt: in the list itself smartlists have negative numbers. */
export const spellListRow = (id: number): string => (id < 0 ? `${SMARTLIST_PREFIX}${-id}` : String(id));

const SYSTEM = -1;
const name = byColumns(sql`t.name_sort`);
const type: SortRow = byColumns(sql`case when t.is_public then 'public' else 'private' end collate "C"`);

/** Filters that playlists, smartlists and both together have; rows have the columns of `library.playlist` that these name. */
export const sharedListFilters: Readonly<Record<string, FilterRow>> = {
  ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort` }),
  id: idsFilter(sql`t.id`),
  playlist_open: idFilter((id) => isListedFor(id)),
  playlist_type: switchFilter((on, viewer) => (on ? undefined : sql<SqlBool>`t.owner_id = ${viewer.userId}::bigint`)),
  playlist_user: idFilter((id) => (id === SYSTEM ? sql<SqlBool>`t.owner_id is null` : sql<SqlBool>`t.owner_id = ${id}::bigint`)),
  // The methods' own: lists whose names begin with what an account wants to be kept from its clients.
  without_prefix: {
    own: true,
    where: (value) => (value === '' || !canOccur(value) ? undefined : sql<SqlBool>`t.name not ilike ${`${escapeLike(value)}%`}`),
  },
};

/** Orders that playlists, smartlists and both together have. */
export const sharedListSorts: Readonly<Record<string, SortRow>> = {
  id: byColumns(),
  name,
  title: name,
  date: byColumns(sql`t.created_at_ms`),
  last_update: byColumns(sql`t.updated_at_ms`),
  type,
  user: byColumns(sql`coalesce(t.owner_id, ${sql.lit(SYSTEM)})`),
  username: {
    columns: () => [sql`coalesce(u.username_key, '') collate "C"`],
    join: sql`left join social."user" u on u.id = t.owner_id`,
  },
};

/** A sum over the songs of a playlist that the viewer may see. */
const overSongs = (viewer: Viewer, sum: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(${sum}, 0) from library.playlist_member m join library.song s on s.id = m.object_id
    where m.playlist_id = t.id and m.object_kind = 'song' and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`;
const lastCount: SortRow = { columns: (viewer) => [overSongs(viewer, sql`count(*)`)] };

const playlists = { kind: 'playlist' } as const;

/** Playlists that the viewer finds: browse.md, section `playlist`. There are few, and they change all the time. */
export const playlistList: ListDefinition = {
  kind: 'playlist',
  volatile: true,
  from: sql`library.playlist t`,
  base: (viewer) => isListedFor(viewer.userId),
  filters: { ...sharedListFilters, ...annotationFilters(playlists) },
  sorts: {
    ...sharedListSorts,
    last_count: lastCount,
    last_duration: { columns: (viewer) => [overSongs(viewer, sql`sum(s.duration_ms)`)] },
    ...annotationSorts(playlists),
  },
};

const searches = { kind: 'search' } as const;
/** How many songs a smartlist had is nothing for who does not see all of them. */
const notedCount: SortRow = { columns: (viewer) => [seesAll(viewer) ? sql`t.last_count` : sql`0::bigint`] };
const random: SortRow = byColumns(sql`t.is_random`);

/** Smartlists that the viewer finds: browse.md, section `smartplaylist`. */
export const smartlistList: ListDefinition = {
  kind: 'smartlist',
  volatile: true,
  from: sql`library.smartlist t`,
  base: (viewer) => isListedFor(viewer.userId),
  spell: (id) => spellListRow(-id),
  filters: { ...sharedListFilters, ...annotationFilters(searches) },
  sorts: { ...sharedListSorts, last_count: notedCount, limit: byColumns(sql`t.song_limit`), random, ...annotationSorts(searches) },
};

const COLUMNS = sql`owner_id, name, name_sort, is_public, collaborator_ids, created_at_ms, updated_at_ms`;
const playlistsAndSmartlists = sql`(select p.id, ${COLUMNS}, 0::bigint as last_count from library.playlist p
  union all select -s.id, ${COLUMNS}, s.last_count from library.smartlist s) t`;
const eitherCount: SortRow = {
  columns: (viewer) => [
    sql`case when t.id < 0 then ${seesAll(viewer) ? sql`t.last_count` : sql`0`} else ${overSongs(viewer, sql`count(*)`)} end`,
  ],
};

const both = [playlists, { kind: 'search', negative: true }] as const;

/** Playlists and smartlists in one list: browse.md, section `playlist_search`. */
export const playlistSearchList: ListDefinition = {
  kind: 'playlist_search',
  volatile: true,
  from: playlistsAndSmartlists,
  base: (viewer) => isListedFor(viewer.userId),
  spell: spellListRow,
  // A playlist comes before the smartlist of its number.
  tie: sql`abs(t.id) * 2 + (t.id < 0)::int`,
  filters: {
    ...sharedListFilters,
    smartlist: flagFilter(() => sql<SqlBool>`t.id < 0`),
    hide_dupe_smartlist: flagFilter(
      () => sql<SqlBool>`not (t.id < 0 and exists (
        select from library.playlist p where p.name_sort = t.name_sort and lower(p.name) = lower(t.name) and p.owner_id is not distinct from t.owner_id))`,
    ),
    ...annotationFilters(...both),
  },
  sorts: { ...sharedListSorts, last_count: eitherCount, ...annotationSorts(...both) },
};
