import { downloadEpisode, refreshAll, removeEpisodeFile, removePodcast, subscribeTo, type PodcastKeeper } from '../../podcast/podcasts.js';
import { childIds } from '../../reads/children.reads.js';
import { episodesByIds, newestEpisodeIds, podcastsByIds, type EpisodeView, type PodcastView } from '../../reads/podcasts.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { parseIdOf } from '../ids.js';
import { channelObject, episodeObject, type CompatChannel } from '../objects/podcast.object.js';
import { count, flag, optionalText, requiredText } from '../parameters.js';
import { action, anybody, document, type UserCallBase } from './endpoint.js';

const podcasters = { ...anybody, role: 'podcast' } as const;
const byTitle = { kind: 'podcast', where: [], sort: { name: 'title', descending: false } } as const;
const oldestFirst = { name: 'id', descending: false } as const;
const ofPodcasts = [{ name: 'gather_type', value: 'podcast' }];

const noChannel = (): CompatError => new CompatError(70, 'There is no such podcast');
const noEpisode = (): CompatError => new CompatError(70, 'There is no such podcast episode');

const keeperOf = ({ services, context, viewer }: UserCallBase): PodcastKeeper => ({ services, context, viewer });

/** The podcast that an id names. @throws CompatError 70, also where podcasts are switched off */
const channelOf = async ({ services, viewer }: UserCallBase, text: string): Promise<PodcastView> => {
  const id = services.config.PODCAST ? parseIdOf('podcast', text) : undefined;
  const [podcast] = id === undefined ? [] : await podcastsByIds(services.db, [id], viewer);
  if (!podcast) throw noChannel();
  return podcast;
};

/** The episode that an id names. @throws CompatError 70, also where podcasts are switched off */
const episodeOf = async ({ services, viewer }: UserCallBase, text: string): Promise<EpisodeView> => {
  const id = services.config.PODCAST ? parseIdOf('episode', text) : undefined;
  const [episode] = id === undefined ? [] : await episodesByIds(services.db, [id], viewer);
  if (!episode) throw noEpisode();
  return episode;
};

/** Episodes that are read at a time: their descriptions are long. */
const READ_AT_ONCE = 1000;

const withEpisodes = async ({ services, viewer }: UserCallBase, podcasts: readonly PodcastView[]): Promise<CompatChannel[]> => {
  const owners = podcasts.map(({ id }) => id);
  const idsOf = await childIds(services.db, 'podcast-podcast_episodes', owners, viewer);
  const ids = owners.flatMap((id) => Array.from(idsOf(id)));
  const episodes: EpisodeView[] = [];
  for (let start = 0; start < ids.length; start += READ_AT_ONCE)
    episodes.push(...(await episodesByIds(services.db, ids.slice(start, start + READ_AT_ONCE), viewer)));
  const byPodcast = Map.groupBy(episodes, ({ podcastId }) => podcastId);
  return podcasts.map((podcast) => ({ podcast, episodes: byPodcast.get(podcast.id) ?? [] }));
};

const shownPodcasts = async (call: UserCallBase, id: string | undefined): Promise<readonly PodcastView[]> => {
  if (id !== undefined) return [await channelOf(call, id)];
  const { services, viewer } = call;
  if (!services.config.PODCAST) return [];
  return podcastsByIds(services.db, (await services.lists.ids(byTitle, viewer)).ids, viewer);
};

/** This protocol names no catalog: a podcast comes into the first one of podcasts that the caller sees. @throws CompatError 0 */
const catalogFor = async ({ services, viewer }: UserCallBase): Promise<number> => {
  const { ids } = await services.lists.ids({ kind: 'catalog', where: ofPodcasts, sort: oldestFirst }, viewer);
  const [first] = ids;
  if (first === undefined) throw new CompatError(0, 'There is no catalog of podcasts that this one could belong to');
  return first;
};

/** Podcasts. Where they are switched off there are none, and nobody has the role. */
export const podcastEndpoints = {
  getPodcasts: document({
    access: anybody,
    params: { id: optionalText, includeEpisodes: flag(true) },
    body: containerBody('podcasts', 'channel', channelObject),
    answer: async (call): Promise<CompatChannel[]> => {
      const podcasts = await shownPodcasts(call, call.params.id);
      return call.params.includeEpisodes ? withEpisodes(call, podcasts) : podcasts.map((podcast) => ({ podcast }));
    },
  }),
  getNewestPodcasts: document({
    access: anybody,
    params: { count: count(20, 500) },
    body: containerBody('newestPodcasts', 'episode', episodeObject),
    answer: async ({ services, viewer, params }) => {
      if (!services.config.PODCAST || params.count === 0) return [];
      return episodesByIds(services.db, await newestEpisodeIds(services.db, viewer, params.count), viewer);
    },
  }),
  /** The extension of that name. */
  getPodcastEpisode: document({
    access: anybody,
    params: { id: requiredText },
    body: objectBody('podcastEpisode', episodeObject),
    answer: (call) => episodeOf(call, call.params.id),
  }),
  /** Answers when the feed has been read: what cannot be read makes no channel, and says why (code 0). */
  createPodcastChannel: action({
    access: podcasters,
    params: { url: requiredText },
    act: async (call) => {
      await subscribeTo(keeperOf(call), { catalogId: await catalogFor(call), feedUrl: call.params.url }, 'url');
    },
  }),
  deletePodcastChannel: action({
    access: podcasters,
    params: { id: requiredText },
    act: async (call) => removePodcast(keeperOf(call), await channelOf(call, call.params.id)),
  }),
  /** What was downloaded goes; the episode stays, as `deleted` (endpoints.json). */
  deletePodcastEpisode: action({
    access: podcasters,
    params: { id: requiredText },
    act: async (call) => removeEpisodeFile(keeperOf(call), await episodeOf(call, call.params.id)),
  }),
  /** Answers at once; how far it has come is the episode's status. */
  downloadPodcastEpisode: action({
    access: podcasters,
    params: { id: requiredText },
    act: async (call) => downloadEpisode(keeperOf(call), await episodeOf(call, call.params.id)),
  }),
  refreshPodcasts: action({ access: podcasters, params: {}, act: (call) => refreshAll(keeperOf(call)) }),
} as const;
