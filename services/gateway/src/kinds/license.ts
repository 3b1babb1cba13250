import { sql, type SqlBool } from 'kysely';
import { byColumns } from '../reads/lists/list-query.js';
import { idsFilter, switchFilter, textFilters } from '../reads/lists/text-filters.js';
import { inVisibleCatalogs, seesAll } from '../reads/visibility/viewer.js';
import type { Kind } from './kind.js';

const licenseName = byColumns(sql`t.name_sort`);

/** Licences with songs. None is hidden. */
export const license = {
  list: {
    from: sql`library.license t`,
    visible: (viewer) =>
      seesAll(viewer)
        ? sql<SqlBool>`t.song_count > 0`
        : sql<SqlBool>`exists (select from library.song s where s.license_id = t.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`,
    filters: {
      ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort` }),
      id: idsFilter(sql`t.id`),
      hidden: switchFilter((on) => (on ? sql<SqlBool>`false` : undefined)),
    },
    sorts: { id: byColumns(), name: licenseName, title: licenseName, external_link: byColumns(sql`t.external_link collate "C"`) },
  },
} satisfies Kind;
