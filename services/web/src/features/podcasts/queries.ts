import { api, content, pageOf, type Page, type Schemas } from '../../lib/api.js';
import type { PagedSource } from '../../lib/use-pages.js';

export type Podcast = Schemas['Podcast'];
export type Episode = Schemas['PodcastEpisode'];

const EPISODES_AT_ONCE = 60;
/** Downloads are waited for; no event tells of their end, ms. */
const DOWNLOAD_ASKED_EVERY_MS = 5000;

/** All podcasts by name. */
export const podcastsQuery = {
  queryKey: ['podcasts'],
  queryFn: async (): Promise<readonly Podcast[]> =>
    (await content(api.GET('/podcasts', { params: { query: { sort: 'title', limit: 'none' } } }))).podcast,
};

/** A podcast. */
export const podcastQuery = (id: string) => ({
  queryKey: ['podcasts', id],
  queryFn: () => content(api.GET('/podcasts/{podcast_id}', { params: { path: { podcast_id: id } } })),
});

/** Episodes of a podcast, newest first. */
export const episodesOf = (id: string): PagedSource<Episode> => ({
  perPage: EPISODES_AT_ONCE,
  query: (page) => ({
    queryKey: ['episodes', id, page],
    queryFn: async (): Promise<Page<Episode>> => {
      const params = { path: { podcast_id: id }, query: { offset: page * EPISODES_AT_ONCE, limit: EPISODES_AT_ONCE } };
      return pageOf('podcast_episode', await content(api.GET('/podcasts/{podcast_id}/podcast-episodes', { params })));
    },
    refetchInterval: ({ state: { data } }) => (data?.items.some(({ state }) => state === 'pending') ? DOWNLOAD_ASKED_EVERY_MS : false),
  }),
});
