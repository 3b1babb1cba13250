import { sql, type SqlBool } from 'kysely';
import { annotationFilters, annotationSorts } from './annotations.js';
import { byColumns, type FilterRow, type ListDefinition } from './list-query.js';
import { mediaPlaySorts, unplayedMediaFilter, type MediaPlaySource } from './media-play-overlays.js';
import { flagFilter, idFilter, idsFilter, textFilters, timeFilters } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

/** What the parameters `add` and `update` of methods say where `cond` knows no such times. */
const ownTimes = (rows: Record<string, FilterRow>): Record<string, FilterRow> =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, own: true }]));

const title = byColumns(sql`t.title_sort`);

/** What podcasts and their episodes are both filtered by. */
const shared = {
  ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort`, keyFollowsName: true }),
  id: idsFilter(sql`t.id`),
  catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}::bigint`),
  catalog_enabled: flagFilter(() => sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
  // The caller's catalogs are part of every list.
  user_catalog: flagFilter(() => sql<SqlBool>`true`),
};

/** A podcast is played as often as its episodes are. */
const podcastPlays: MediaPlaySource = {
  name: 'podcast',
  objectType: 'podcast_episode',
  id: sql`e.podcast_id`,
  join: sql`join library.podcast_episode e on e.id = p.object_id`,
};
const episodePlays: MediaPlaySource = { name: 'podcast_episode', objectType: 'podcast_episode', id: sql`p.object_id`, join: sql`` };
const ofPodcast = { kind: 'podcast' } as const;
const ofEpisode = { kind: 'podcast_episode' } as const;

/** Podcasts: browse.md, section `podcast`. */
export const podcastList: ListDefinition = {
  kind: 'podcast',
  from: sql`library.podcast t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...shared,
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
};

/** By how much is here of its file. */
const STATES = sql`case t.state when 'completed' then 2 when 'pending' then 1 when 'downloading' then 1 else 0 end`;
const published = sql`t.published_at_ms`;

/** Episodes of podcasts: browse.md, section `podcast_episode`. */
export const episodeList: ListDefinition = {
  kind: 'podcast_episode',
  from: sql`library.podcast_episode t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...shared,
    ...timeFilters('add', sql`t.added_at_ms`),
    ...ownTimes(timeFilters('update', sql`t.updated_at_ms`)),
    podcast: idFilter((id) => sql<SqlBool>`t.podcast_id = ${id}::bigint`),
    unplayed: unplayedMediaFilter(episodePlays),
    ...annotationFilters(ofEpisode),
  },
  sorts: {
    id: byColumns(),
    title,
    name: title,
    addition_time: byColumns(sql`t.added_at_ms`),
    update_time: byColumns(sql`t.updated_at_ms`),
    author: byColumns(sql`t.author collate "C"`),
    category: byColumns(sql`t.category collate "C"`),
    catalog: byColumns(sql`t.catalog_id`, sql`t.title_sort`),
    podcast: byColumns(sql`t.podcast_id`, published),
    pubdate: byColumns(published),
    state: byColumns(STATES),
    time: byColumns(sql`coalesce(t.duration_ms, 0)`),
    // Nobody skips an episode: what is left is taken up again.
    total_skip: byColumns(),
    ...mediaPlaySorts(episodePlays),
    ...annotationSorts(ofEpisode),
  },
};

/** Episodes that are gone, of catalogs that the viewer sees. */
export const deletedEpisodeList: ListDefinition = {
  kind: 'deleted_podcast_episode',
  from: sql`(select d.*, d.episode_id as id from library.deleted_podcast_episode d) t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {},
  sorts: { id: byColumns(), deletion: byColumns(sql`t.deleted_at_ms`) },
};
