import { sql, type SqlBool } from 'kysely';
import { byColumns, type ListSource, type SortRow } from '../reads/lists/list-query.js';
import { flagFilter } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { isListedFor, mayOpen } from '../reads/visibility/playlist-access.js';
import { seesAll } from '../reads/visibility/viewer.js';
import { type Kind, wholeName } from './kind.js';
import { overSongs, playlists, sharedListFilters, sharedListSorts, spellListRow } from './playlist.js';

const searches = { kind: 'search' } as const;
/** Last song count of a smartlist, only for viewers who see all of its songs. */
const notedCount: SortRow = { columns: (viewer) => [seesAll(viewer) ? sql`t.last_count` : sql`0::bigint`] };
const random: SortRow = byColumns(sql`t.is_random`);

const source: ListSource = { from: sql`library.smartlist t`, visible: (viewer) => mayOpen(viewer) };

/** Smartlists that the viewer may find. */
export const smartlist = {
  list: {
    shuffled: true,
    volatile: true,
    from: source.from,
    visible: (viewer) => isListedFor(viewer.userId),
    spell: (id) => spellListRow(-id),
    filters: { ...sharedListFilters, ...annotationFilters(searches) },
    sorts: { ...sharedListSorts, last_count: notedCount, limit: byColumns(sql`t.song_limit`), random, ...annotationSorts(searches) },
  },
} satisfies Kind;

/** A smartlist as annotations and shares know it. */
export const search = { source, names: { ...source, ...wholeName(sql`t.name`) } } satisfies Kind;

const COLUMNS = sql`owner_id, name, name_sort, is_public, collaborator_ids, created_at_ms, updated_at_ms`;
const playlistsAndSmartlists = sql`(select p.id, ${COLUMNS}, 0::bigint as last_count from library.playlist p
  union all select -s.id, ${COLUMNS}, s.last_count from library.smartlist s) t`;
const eitherCount: SortRow = {
  columns: (viewer) => [
    sql`case when t.id < 0 then ${seesAll(viewer) ? sql`t.last_count` : sql`0`} else ${overSongs(viewer, sql`count(*)`)} end`,
  ],
};

const both = [playlists, { kind: 'search', negative: true }] as const;

/** Playlists and smartlists together. */
export const playlistSearch = {
  list: {
    shuffled: true,
    volatile: true,
    from: playlistsAndSmartlists,
    visible: (viewer) => isListedFor(viewer.userId),
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
  },
  // Smartlists have negative numbers.
  names: {
    from: sql`(select id, name, owner_id, is_public, collaborator_ids from library.playlist
      union all select -id, name, owner_id, is_public, collaborator_ids from library.smartlist) t`,
    visible: source.visible,
    ...wholeName(sql`t.name`),
  },
} satisfies Kind;
