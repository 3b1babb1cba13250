import { inVisibleCatalogs } from '../reads/visibility/viewer.js';
import { podcastArt } from '../reads/podcasts/podcasts.reads.js';
import { sql } from 'kysely';
import { byColumns, type FilterRow } from '../reads/lists/list-query.js';
import { idsFilter, textFilters, timeFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { mediaPlaySorts, unplayedMediaFilter, type MediaPlaySource } from '../reads/plays/media-play-overlays.js';
import { catalogFilters, ofCatalogs, type Kind, wholeName } from './kind.js';

/** Filters of the parameters `add` and `update`, which `cond` lacks. */
export const ownTimes = (rows: Record<string, FilterRow>): Record<string, FilterRow> =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, own: true }]));

const title = byColumns(sql`t.title_sort`);

/** Filters that podcasts and episodes share. */
export const sharedFilters = {
  ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort`, keyFollowsName: true }),
  id: idsFilter(sql`t.id`),
  ...catalogFilters,
};

/** A podcast is played as often as its episodes are. */
const podcastPlays: MediaPlaySource = {
  name: 'podcast',
  objectType: 'podcast_episode',
  id: sql`e.podcast_id`,
  join: sql`join library.podcast_episode e on e.id = p.object_id`,
};
const ofPodcast = { kind: 'podcast' } as const;

const source = ofCatalogs(sql`library.podcast t`);

/** Podcasts. */
export const podcast = {
  source,
  list: {
    shuffled: true,
    ...source,
    filters: {
      ...sharedFilters,
      ...ownTimes(timeFilters('add', sql`t.added_at_ms`)),
      ...ownTimes(timeFilters('update', sql`t.updated_at_ms`)),
      unplayed: unplayedMediaFilter(podcastPlays),
      ...annotationFilters(ofPodcast),
    },
    sorts: {
      id: byColumns(),
      title,
      name: title,
      catalog: byColumns(sql`t.catalog_id`, sql`t.title_sort`),
      episodes: byColumns(sql`t.episode_count`),
      website: byColumns(sql`coalesce(t.website_url, '') collate "C"`),
      ...mediaPlaySorts(podcastPlays),
      ...annotationSorts(ofPodcast),
    },
  },
  names: { ...source, ...wholeName(sql`t.title`) },
  art: podcastArt,
  feature: 'podcast',
  children: {
    episodes: (viewer) =>
      sql`select e.id from library.podcast_episode e where e.podcast_id = o.id and ${inVisibleCatalogs(viewer, sql`e.catalog_id`)}
      order by e.published_at_ms desc, e.id desc`,
  },
} satisfies Kind;
