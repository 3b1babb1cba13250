import { z } from 'zod';
import { requireLevelOrRole } from '../../action-roles.js';
import { refreshPodcast, removeEpisode, removePodcast, rewritePodcast, subscribeTo } from '../../../../features/podcasts.js';
import { catalogsByIds } from '../../../../reads/visibility/catalogs.reads.js';
import { deletedEpisodesByIds, episodesByIds, podcastsByIds, type PodcastView } from '../../../../reads/podcasts/podcasts.reads.js';
import { badValue } from '../../errors/native-fault.js';
import { expandedResult, firstOf, podcastsWithEpisodes } from '../../expansion.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed, seenObject, type Named } from '../../named-object.js';
import { deletedEpisodeObject, episodeObject, podcastObject } from '../../objects/podcast.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { changed, include, limit, matching, named, offset, optional, paging, required } from '../../params.js';
import { objectResult, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { deletedPage, ofKind } from '../lists/of-kind.js';
import { readPodcasts } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasConfig, HasCommands } from '../../../../server/needs.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig & HasReadModel & HasLists & HasCommands & HasPreferences;
const { method: methodOfAnyState, methodWithLookup } = methodsUsing<Services>();
// The feature first, then the level, then the parameters.
const { method } = methodsUsing<Services>({
  checksLevel: true,
  check: async (call, access) => {
    requireKind(call, 'podcast');
    requireLevelOrRole(await call.services.preferences.current(), call.context.caller, { access, role: 'podcast' });
  },
});

const versions: readonly ApiVersion[] = [4, 5, 6, 8];
/** Access levels for editing and refreshing, and for creating and deleting podcasts. */
const EDITORS = 50;
const KEEPERS = 75;

const podcastOf = (call: CallerCall<unknown, Services>, text: string): Promise<PodcastView> => objectNamed(call, podcastsByIds, text);
const episodes = ofKind('podcast_episode', episodeObject, episodesByIds);

const shown = (view: PodcastView): NativeResult => objectResult(podcastObject, { view, episodes: [] }, view.id);

const one = async (call: CallerCall<{ filter: string; include: (name: string) => boolean }, Services>): Promise<NativeResult> => {
  const view = await podcastOf(call, call.params.filter);
  if (!call.params.include('episodes')) return shown(view);
  const whole = (await firstOf(podcastsWithEpisodes(call, Int32Array.of(view.id)))) ?? { view, episodes: [] };
  return objectResult(podcastObject, whole, view.id);
};

/** Creates a podcast. An unknown catalog is 4710, like one of another media type. */
const create = async (call: CallerCall<{ catalog: string; url: string }, Services>): Promise<NativeResult> => {
  const { catalog, url } = call.params;
  const seen = await seenObject(call, catalogsByIds, catalog);
  if (!seen) throw badValue('catalog', catalog, 'must be the id of a catalog of podcasts');
  return shown(await podcastOf(call, String(await subscribeTo(call, { catalogId: seen.id, feedUrl: url }, 'url'))));
};

/** Refreshes a feed and waits; checks only the level, not the feature. */
const syncing = {
  params: z.object(named),
  aliases: { filter: ['filter', 'id'] },
  run: async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
    const podcast = await podcastOf(call, call.params.filter);
    await refreshPodcast(call, podcast);
    return success(`Synced episodes for podcast: ${podcast.id}`);
  },
};

/** Methods about podcasts. The ingestion service reads the feeds and decides about downloads. */
export const podcastMethods = {
  podcasts: method({
    versions,
    access: 5,
    params: z.object({ ...matching, include, ...changed, ...paging }),
    run: async (call) => {
      const query = listQuery('podcast', call.params, [], by('title'));
      if (!call.params.include('episodes'))
        return listResult(call, query, { table: podcastObject, read: (ids) => readPodcasts(call, ids) });
      const list = await call.services.lists.ids(query, call.viewer);
      return expandedResult(call, list, { table: podcastObject, steps: (ids) => podcastsWithEpisodes(call, ids) });
    },
  }),
  podcast: method({ versions, access: 5, params: z.object({ ...named, include }), run: one }),
  podcast_create: method({ versions, access: KEEPERS, params: z.object({ catalog: required, url: required }), run: create }),
  podcast_edit: method({
    versions,
    access: EDITORS,
    params: z.object({
      ...named,
      feed: optional,
      title: optional,
      website: optional,
      description: optional,
      generator: optional,
      copyright: optional,
    }),
    run: async (call) => {
      const podcast = await podcastOf(call, call.params.filter);
      await rewritePodcast(call, podcast, call.params);
      return success(`podcast ${podcast.id} updated`);
    },
  }),
  podcast_delete: method({
    versions,
    access: KEEPERS,
    params: z.object(named),
    run: async (call) => {
      const podcast = await podcastOf(call, call.params.filter);
      await removePodcast(call, podcast);
      return success(`podcast ${podcast.id} deleted`);
    },
  }),
  podcast_episodes: method({
    versions,
    access: 5,
    params: z.object({ filter: optional, ...paging }),
    run: async (call) => {
      const { filter: podcast = '', ...params } = call.params;
      // Without a podcast: episodes of all.
      const own = podcast === '' ? [] : [{ name: 'podcast', value: String((await podcastOf(call, podcast)).id) }];
      return episodes.page({ ...call, params }, { name: 'pubdate', descending: true }, own);
    },
  }),
  podcast_episode: method({ versions, access: 5, params: z.object(named), run: episodes.one }),
  podcast_episode_delete: methodWithLookup({
    versions,
    access: KEEPERS,
    params: z.object(named),
    look: (call) => {
      requireKind(call, 'podcast');
      return objectNamed(call, episodesByIds, call.params.filter);
    },
    run: async (call, episode) => {
      await removeEpisode(call, episode);
      return success(`podcast_episode ${episode.id} deleted`);
    },
  }),
  deleted_podcast_episodes: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ offset, limit }),
    run: (call) => deletedPage(call, 'deleted_podcast_episode', { table: deletedEpisodeObject, read: deletedEpisodesByIds }),
  }),
  podcast_update: methodOfAnyState({ versions: [6, 8], access: EDITORS, ...syncing }),
  update_podcast: methodOfAnyState({ versions, access: EDITORS, ...syncing }),
};
