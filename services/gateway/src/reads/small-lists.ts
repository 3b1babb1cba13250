import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterRow, ListDefinition } from './list-query.js';
import { idFilter, textFilters, whole } from './text-filters.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

const usedGenre = (viewer: Viewer): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all'
    ? sql<SqlBool>`t.song_count > 0`
    : sql<SqlBool>`exists (select from library.song_genre g join library.song s on s.id = g.song_id where g.genre_id = t.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`;

const genreId = idFilter((id) => sql<SqlBool>`t.id = ${id}`);
const genreName = { columns: [sql`t.name_sort`] };
// The specification gives genres, tags and ids the same order.
const byId = { columns: [] };

/** Genres in use: browse.md, section `tag`. */
export const genreList: ListDefinition = {
  kind: 'genre',
  from: sql`library.genre t`,
  base: usedGenre,
  filters: { ...textFilters(sql`t.name`), id: genreId, genre: genreId, tag: genreId },
  sorts: {
    id: byId,
    genre: byId,
    tag: byId,
    name: genreName,
    title: genreName,
    album: { columns: [sql`t.album_count`] },
    artist: { columns: [sql`t.artist_count`] },
    song: { columns: [sql`t.song_count`] },
  },
};

const gatherType: FilterRow = { where: (value) => (value === '' ? undefined : sql<SqlBool>`t.gather_types = ${value}`) };
const catalogName = { columns: [sql`lower(t.name)`] };

/** Catalogs: browse.md, section `catalog`. There are few of them, and no counter tells when they change. */
export const catalogList: ListDefinition = {
  kind: 'catalog',
  volatile: true,
  from: sql`library.catalog t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.id`),
  filters: {
    ...textFilters(sql`t.name`),
    id: genreId,
    gather_type: gatherType,
    gather_types: gatherType,
    enabled: { where: (value) => sql<SqlBool>`t.enabled = ${whole(value) === 1}` },
  },
  sorts: {
    id: byId,
    name: catalogName,
    title: catalogName,
    catalog_type: { columns: [sql`t.type`] },
    enabled: { columns: [sql`t.enabled`] },
    gather_types: { columns: [sql`t.gather_types`] },
    rename_pattern: { columns: [sql`t.rename_pattern`] },
    sort_pattern: { columns: [sql`t.sort_pattern`] },
  },
};

const fullName = { columns: [sql`lower(t.full_name)`] };

/** Enabled accounts: browse.md, section `user`. Names are searched as far as they may be seen. */
export const userList: ListDefinition = {
  kind: 'user',
  volatile: true,
  from: sql`social.user t`,
  base: () => sql<SqlBool>`not t.disabled`,
  filters: {
    ...textFilters(sql`t.username`),
    id: genreId,
    name: textFilters(sql`t.username`)['like'] as FilterRow,
    username: textFilters(sql`t.username`)['like'] as FilterRow,
    access: idFilter((level) => sql<SqlBool>`t.access = ${level}`),
  },
  sorts: {
    id: byId,
    username: { columns: [sql`t.username_key`] },
    access: { columns: [sql`t.access`] },
    create_date: { columns: [sql`t.created_at_ms`] },
    fullname: fullName,
    fullname_public: { columns: [sql`t.full_name_public`] },
    city: { columns: [sql`t.city`] },
    state: { columns: [sql`t.state`] },
    website: { columns: [sql`t.website`] },
  },
};
