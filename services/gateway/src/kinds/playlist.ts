import { playlistArt } from '../reads/playlists/playlists.reads.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns, type FilterRow, type ListSource, type SortRow } from '../reads/lists/list-query.js';
import { canOccur, escapeLike, idFilter, idsFilter, switchFilter, textFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { isListedFor, mayOpen } from '../reads/visibility/playlist-access.js';
import { inVisibleCatalogs, type Viewer } from '../reads/visibility/viewer.js';
import { type Kind, wholeName } from './kind.js';

/** The prefix of smartlists' ids where they stand beside playlists. */
export const SMARTLIST_PREFIX = 'smart_';

/** Formats the id of a row of playlists and smartlists: in the list itself smartlists have negative numbers. */
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
export const overSongs = (viewer: Viewer, sum: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(${sum}, 0) from library.playlist_member m join library.song s on s.id = m.object_id
    where m.playlist_id = t.id and m.object_kind = 'song' and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`;
const lastCount: SortRow = { columns: (viewer) => [overSongs(viewer, sql`count(*)`)] };

/** Ids of playlists in annotations. */
export const playlists = { kind: 'playlist' } as const;

const source: ListSource = { from: sql`library.playlist t`, visible: (viewer) => mayOpen(viewer) };

/** Playlists that the viewer may find. There are few, and they change all the time. */
export const playlist = {
  source,
  list: {
    shuffled: true,
    volatile: true,
    from: source.from,
    visible: (viewer) => isListedFor(viewer.userId),
    filters: { ...sharedListFilters, ...annotationFilters(playlists) },
    sorts: {
      ...sharedListSorts,
      last_count: lastCount,
      last_duration: { columns: (viewer) => [overSongs(viewer, sql`sum(s.duration_ms)`)] },
      ...annotationSorts(playlists),
    },
  },
  names: { ...source, ...wholeName(sql`t.name`) },
  art: playlistArt,
  children: {
    // Whoever lists the playlists has decided that the viewer may open them.
    songs: (viewer) =>
      sql`select s.id from library.playlist_member m join library.song s on s.id = m.object_id and m.object_kind = 'song'
      where m.playlist_id = o.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} order by m.rank`,
  },
} satisfies Kind;
