import { catalogsByIds } from '../reads/visibility/catalogs.reads.js';
import { sql, type SqlBool } from 'kysely';
import { byColumns, type FilterRow, type ListSource } from '../reads/lists/list-query.js';
import { canOccur, flagFilter, idsFilter, switchFilter, textFilters } from '../reads/lists/text-filters.js';
import { annotationSorts } from '../reads/people/annotations.js';
import { inVisibleCatalogs } from '../reads/visibility/viewer.js';
import { type Kind, splitLater } from './kind.js';

const gatherType: FilterRow = {
  where: (value) => {
    if (value === '') return undefined;
    return canOccur(value) ? sql<SqlBool>`t.gather_types = ${value.toLowerCase()}` : sql<SqlBool>`false`;
  },
};
const catalogName = byColumns(sql`lower(t.name) collate "C"`);
const lastScan = byColumns(
  sql`coalesce((select max(sc.finished_at_ms) from ingestion.scan sc where sc.catalog_id = t.id and sc.state = 'finished'), 0)`,
);
const ofCatalog = { kind: 'catalog' } as const;

const source: ListSource = { from: sql`library.catalog t`, visible: (viewer) => inVisibleCatalogs(viewer, sql`t.id`) };

/** Catalogs. There are few of them, and no counter tells when they change. */
export const catalog = {
  source,
  read: catalogsByIds,
  list: {
    volatile: true,
    ...source,
    filters: {
      ...textFilters({ name: sql`t.name` }),
      id: idsFilter(sql`t.id`),
      gather_type: gatherType,
      // The list form: any of some kinds of media, between blanks.
      gather_types: {
        own: true,
        where: (value) => (canOccur(value) ? sql<SqlBool>`t.gather_types = any(${value.split(' ')}::text[])` : sql<SqlBool>`false`),
      },
      enabled: switchFilter((on) => sql<SqlBool>`t.enabled = ${on}`),
      // The caller's catalogs are part of every list.
      user: flagFilter(() => sql<SqlBool>`true`),
    },
    sorts: {
      id: byColumns(),
      name: catalogName,
      title: catalogName,
      catalog_type: byColumns(sql`t.type collate "C"`),
      enabled: byColumns(sql`t.enabled`),
      gather_types: byColumns(sql`t.gather_types collate "C"`),
      last_add: lastScan,
      last_clean: lastScan,
      last_update: lastScan,
      rename_pattern: byColumns(sql`coalesce(t.rename_pattern, '') collate "C"`),
      sort_pattern: byColumns(sql`coalesce(t.sort_pattern, '') collate "C"`),
      ...annotationSorts(ofCatalog),
    },
  },
  names: { ...source, ...splitLater(sql`t.name`) },
} satisfies Kind;
