import { downloadEpisode, refreshAll, removeEpisodeFile, removePodcast, subscribeTo } from '../../../../features/podcasts.js';
import { kinds } from '../../../../kinds/index.js';
import { childIds } from '../../../../reads/library/children.reads.js';
import {
  episodesByIds,
  newestEpisodeIds,
  podcastsByIds,
  type EpisodeView,
  type PodcastView,
} from '../../../../reads/podcasts/podcasts.reads.js';
import { containerBody, objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseIdOf } from '../../ids.js';
import { channelObject, episodeObject, type CompatChannel } from '../../objects/podcast.object.js';
import { count, flag, optionalText, requiredText } from '../../parameters.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasConfig, HasCommands } from '../../../../server/needs.js';

type Services = HasConfig & HasReadModel & HasLists & HasCommands;
const { document, action } = endpointsUsing<Services>();

const podcasters = { ...anybody, role: 'podcast' } as const;
const byTitle = { kind: 'podcast', where: [], sort: { name: 'title', descending: false } } as const;
const oldestFirst = { name: 'id', descending: false } as const;
const ofPodcasts = [{ name: 'gather_type', value: 'podcast' }];

const noChannel = (): CompatError => new CompatError(70, 'There is no such podcast');
const noEpisode = (): CompatError => new CompatError(70, 'There is no such podcast episode');

/** Podcast of an id. @throws CompatError 70, also when podcasts are off */
const channelOf = async ({ services, viewer }: UserCallBase<Services>, text: string): Promise<PodcastView> => {
  const id = services.config.PODCAST ? parseIdOf('podcast', text) : undefined;
  const [podcast] = id === undefined ? [] : await podcastsByIds(services.db, [id], viewer);
  if (!podcast) throw noChannel();
  return podcast;
};

/** Episode of an id. @throws CompatError 70, also when podcasts are off */
const episodeOf = async ({ services, viewer }: UserCallBase<Services>, text: string): Promise<EpisodeView> => {
  const id = services.config.PODCAST ? parseIdOf('episode', text) : undefined;
  const [episode] = id === undefined ? [] : await episodesByIds(services.db, [id], viewer);
  if (!episode) throw noEpisode();
  return episode;
};

/** Episodes read at a time: their descriptions are long. */
const READ_AT_ONCE = 1000;

const withEpisodes = async ({ services, viewer }: UserCallBase<Services>, podcasts: readonly PodcastView[]): Promise<CompatChannel[]> => {
  const owners = podcasts.map(({ id }) => id);
  const idsOf = await childIds(services.db, kinds.podcast.children.episodes, owners, viewer);
  const ids = owners.flatMap((id) => Array.from(idsOf(id)));
  const episodes: EpisodeView[] = [];
  for (let start = 0; start < ids.length; start += READ_AT_ONCE)
    episodes.push(...(await episodesByIds(services.db, ids.slice(start, start + READ_AT_ONCE), viewer)));
  const byPodcast = Map.groupBy(episodes, ({ podcastId }) => podcastId);
  return podcasts.map((podcast) => ({ podcast, episodes: byPodcast.get(podcast.id) ?? [] }));
};

const shownPodcasts = async (call: UserCallBase<Services>, id: string | undefined): Promise<readonly PodcastView[]> => {
  if (id !== undefined) return [await channelOf(call, id)];
  const { services, viewer } = call;
  if (!services.config.PODCAST) return [];
  return podcastsByIds(services.db, (await services.lists.ids(byTitle, viewer)).ids, viewer);
};

/** Catalog of a new podcast: the first podcast catalog that the caller sees. @throws CompatError 0 */
const catalogFor = async ({ services, viewer }: UserCallBase<Services>): Promise<number> => {
  const { ids } = await services.lists.ids({ kind: 'catalog', where: ofPodcasts, sort: oldestFirst }, viewer);
  const [first] = ids;
  if (first === undefined) throw new CompatError(0, 'There is no catalog of podcasts that this one could belong to');
  return first;
};

/** Operations about podcasts. When they are off there are none, and nobody has the role. */
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
  /** Extension `getPodcastEpisode`. */
  getPodcastEpisode: document({
    access: anybody,
    params: { id: requiredText },
    body: objectBody('podcastEpisode', episodeObject),
    answer: (call) => episodeOf(call, call.params.id),
  }),
  /** Waits for the feed; one that cannot be read is rejected with code 0. */
  createPodcastChannel: action({
    access: podcasters,
    params: { url: requiredText },
    act: async (call) => {
      await subscribeTo(call, { catalogId: await catalogFor(call), feedUrl: call.params.url }, 'url');
    },
  }),
  deletePodcastChannel: action({
    access: podcasters,
    params: { id: requiredText },
    act: async (call) => removePodcast(call, await channelOf(call, call.params.id)),
  }),
  /** Deletes the file; the episode stays with status `deleted`. */
  deletePodcastEpisode: action({
    access: podcasters,
    params: { id: requiredText },
    act: async (call) => removeEpisodeFile(call, await episodeOf(call, call.params.id)),
  }),
  /** Starts the download; the episode's status shows its progress. */
  downloadPodcastEpisode: action({
    access: podcasters,
    params: { id: requiredText },
    act: async (call) => downloadEpisode(call, await episodeOf(call, call.params.id)),
  }),
  refreshPodcasts: action({ access: podcasters, params: {}, act: (call) => refreshAll(call) }),
} as const;
