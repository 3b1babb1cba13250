import { sql, type SqlBool } from 'kysely';
import { annotationFilters, annotationSorts } from './annotations.js';
import { byColumns, type ListDefinition } from './list-query.js';
import { flagFilter, idFilter, idsFilter, textFilters } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

const name = byColumns(sql`t.name_sort`);
const annotated = { kind: 'live_stream' } as const;

/** Radio stations: browse.md, section `live_stream`. Somebody enters each of them, so that there are few; no counter tells when they change. */
export const liveStreamList: ListDefinition = {
  kind: 'live_stream',
  volatile: true,
  from: sql`library.live_stream t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort`, keyFollowsName: true }),
    id: idsFilter(sql`t.id`),
    catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}::bigint`),
    catalog_enabled: flagFilter(() => sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
    // The caller's catalogs are part of every list.
    user_catalog: flagFilter(() => sql<SqlBool>`true`),
    ...annotationFilters(annotated),
  },
  sorts: {
    id: byColumns(),
    name,
    title: name,
    catalog: byColumns(sql`t.catalog_id`, sql`t.name_sort`),
    codec: byColumns(sql`coalesce(t.codec, '') collate "C"`),
    // Nobody says what a station plays.
    genre: byColumns(),
    site_url: byColumns(sql`coalesce(t.site_url, '') collate "C"`),
    url: byColumns(sql`t.url collate "C"`),
    ...annotationSorts(annotated),
  },
};
