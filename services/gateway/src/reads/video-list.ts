import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { annotationFilters, annotationSorts } from './annotations.js';
import { byColumns, type ListDefinition } from './list-query.js';
import { flagFilter, idFilter, idsFilter, textFilters, timeFilters } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

const title: RawBuilder<unknown> = sql`t.title_sort`;
const genre = idFilter(
  (id) => sql<SqlBool>`exists (select from library.video_genre g where g.video_id = t.id and g.genre_id = ${id}::bigint)`,
);
const noGenre = flagFilter(() => sql<SqlBool>`not exists (select from library.video_genre g where g.video_id = t.id)`);
const annotated = { kind: 'video' } as const;
// Plays of videos are not counted, so that all have as many.
const equal = byColumns();

/** Videos: browse.md, section `video`. */
export const videoList: ListDefinition = {
  kind: 'video',
  from: sql`library.video t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort`, keyFollowsName: true }),
    ...timeFilters('add', sql`t.added_at_ms`),
    ...timeFilters('update', sql`t.updated_at_ms`),
    id: idsFilter(sql`t.id`),
    catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}::bigint`),
    catalog_enabled: flagFilter(() => sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
    genre,
    tag: genre,
    // Videos carry no moods.
    mood: idFilter(() => sql<SqlBool>`false`),
    no_genre: noGenre,
    no_tag: noGenre,
    // The caller's catalogs are part of every list.
    user_catalog: flagFilter(() => sql<SqlBool>`true`),
    ...annotationFilters(annotated),
  },
  sorts: {
    id: byColumns(),
    title: byColumns(title),
    name: byColumns(title),
    addition_time: byColumns(sql`t.added_at_ms`),
    update_time: byColumns(sql`t.updated_at_ms`),
    catalog: byColumns(sql`t.catalog_id`, title),
    codec: byColumns(sql`coalesce(t.video_codec, '') collate "C"`),
    length: byColumns(sql`t.duration_ms`),
    release_date: byColumns(sql`coalesce(t.release_date, '') collate "C"`),
    resolution: byColumns(sql`t.width_px`),
    last_played: equal,
    total_count: equal,
    total_skip: equal,
    ...annotationSorts(annotated),
  },
};

/** Videos that are gone, of catalogs that the viewer sees. */
export const deletedVideoList: ListDefinition = {
  kind: 'deleted_video',
  from: sql`(select d.*, d.video_id as id from library.deleted_video d) t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {},
  sorts: { id: byColumns(), deletion: byColumns(sql`t.deleted_at_ms`) },
};
