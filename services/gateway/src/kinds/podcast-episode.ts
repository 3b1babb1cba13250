import { episodeArt, episodesByIds } from '../reads/podcasts/podcasts.reads.js';
import { sql, type SqlBool } from 'kysely';
import { byColumns } from '../reads/lists/list-query.js';
import { idFilter, timeFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { mediaPlaySorts, unplayedMediaFilter, type MediaPlaySource } from '../reads/plays/media-play-overlays.js';
import { deletedThings, ofCatalogs, type Kind, wholeName } from './kind.js';
import { ownTimes, sharedFilters } from './podcast.js';

const episodePlays: MediaPlaySource = { name: 'podcast_episode', objectType: 'podcast_episode', id: sql`p.object_id`, join: sql`` };
const ofEpisode = { kind: 'podcast_episode' } as const;
const title = byColumns(sql`t.title_sort`);

/** By how much is here of its file. */
const STATES = sql`case t.state when 'completed' then 2 when 'pending' then 1 when 'downloading' then 1 else 0 end`;
const published = sql`t.published_at_ms`;

const source = ofCatalogs(sql`library.podcast_episode t`);

/** Episodes of podcasts. */
export const podcastEpisode = {
  source,
  read: episodesByIds,
  list: {
    shuffled: true,
    ...source,
    filters: {
      ...sharedFilters,
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
  },
  names: { ...source, ...wholeName(sql`t.title`) },
  art: episodeArt,
  feature: 'podcast',
} satisfies Kind;

/** Episodes that are gone, of catalogs that the viewer sees. */
export const deletedPodcastEpisode = deletedThings(sql`(select d.*, d.episode_id as id from library.deleted_podcast_episode d) t`);
