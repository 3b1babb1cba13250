import { liveStreamArt, liveStreamsByIds } from '../reads/podcasts/live-streams.reads.js';
import { sql } from 'kysely';
import { byColumns } from '../reads/lists/list-query.js';
import { idsFilter, textFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { catalogFilters, ofCatalogs, type Kind, wholeName } from './kind.js';

const name = byColumns(sql`t.name_sort`);
const annotated = { kind: 'live_stream' } as const;

const source = ofCatalogs(sql`library.live_stream t`);

/** Radio stations. They are entered by hand, so that there are few; no counter tells when they change. */
export const liveStream = {
  source,
  read: liveStreamsByIds,
  list: {
    volatile: true,
    ...source,
    filters: {
      ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort`, keyFollowsName: true }),
      id: idsFilter(sql`t.id`),
      ...catalogFilters,
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
  },
  names: { ...source, ...wholeName(sql`t.name`) },
  art: liveStreamArt,
  feature: 'live_stream',
} satisfies Kind;
