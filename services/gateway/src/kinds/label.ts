import { labelArt, labelsByIds } from '../reads/library/labels.reads.js';
import { sql, type SqlBool } from 'kysely';
import { byColumns, type ListSource } from '../reads/lists/list-query.js';
import { idsFilter, textFilters } from '../reads/lists/text-filters.js';
import { annotationSorts } from '../reads/people/annotations.js';
import { inVisibleCatalogs, seesAll } from '../reads/visibility/viewer.js';
import type { Kind } from './kind.js';

const labelName = byColumns(sql`t.name_sort`);
const ofLabel = { kind: 'label' } as const;

const source: ListSource = { from: sql`library.label t`, visible: () => sql<SqlBool>`true` };

/** Labels with albums. */
export const label = {
  source,
  read: labelsByIds,
  list: {
    from: source.from,
    visible: (viewer) =>
      seesAll(viewer)
        ? sql<SqlBool>`t.album_count > 0`
        : sql<SqlBool>`exists (select from library.album_label l join library.album a on a.id = l.album_id
            where l.label_id = t.id and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)})`,
    filters: {
      ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort`, keyFollowsName: true }),
      id: idsFilter(sql`t.id`),
    },
    sorts: { id: byColumns(), name: labelName, title: labelName, ...annotationSorts(ofLabel) },
  },
  art: labelArt,
} satisfies Kind;
