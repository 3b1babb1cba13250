import { z } from 'zod';
import { requireLevel } from '../../auth/index.js';
import { refreshPodcast, removeEpisode, removePodcast, rewritePodcast, subscribeTo, type PodcastKeeper } from '../../podcast/podcasts.js';
import { catalogsByIds } from '../../reads/catalogs.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import { deletedEpisodesByIds, episodesByIds, podcastsByIds, type EpisodeView, type PodcastView } from '../../reads/podcasts.reads.js';
import { badValue, featureOff, notFound } from '../errors/native-fault.js';
import { expandedResult, firstOf, podcastsWithEpisodes } from '../expansion.js';
import { method, methodLookingFirst, type CallerCall, type CallerRow } from '../method.js';
import { deletedEpisodeObject, episodeObject, podcastObject } from '../objects/podcast.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { cond, dateRange, flag, idOf, include, limit, offset, required, sort } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';
import { readPodcasts } from './reading.js';

const versions: readonly ApiVersion[] = [4, 5, 6, 8];
/** Who may edit a podcast and have its feed read, and who may make and remove podcasts (methods.json). */
const EDITORS = 50;
const KEEPERS = 75;
const optional = z.string().optional();
const named = { filter: required };

/** Refuses what speaks of podcasts where they are switched off. @throws NativeRefusal 4703 */
export const requirePodcasts = ({ services }: Pick<CallerCall<unknown>, 'services'>): void => {
  if (!services.config.PODCAST) throw featureOff('podcast');
};

/** Looks at the switch first, then at the level, then at the parameters (native README section 5). */
const gated = (row: CallerRow): CallerRow => ({
  ...row,
  checksLevel: true,
  invoke: async (raw, call) => {
    requirePodcasts(call);
    requireLevel(call.request.caller, row.access);
    return row.invoke(raw, call);
  },
});

const keeperOf = ({ services, request, viewer }: CallerCall<unknown>): PodcastKeeper => ({ services, context: request, viewer });

/** The podcast that a call names. @throws NativeRefusal 4704 */
const podcastOf = async ({ services, viewer }: CallerCall<unknown>, text: string): Promise<PodcastView> => {
  const id = idOf(text);
  const [podcast] = id === undefined ? [] : await podcastsByIds(services.db, [id], viewer);
  if (!podcast) throw notFound('filter', text);
  return podcast;
};

/** The episode that a call names. @throws NativeRefusal 4704 */
const episodeOf = async ({ services, viewer }: CallerCall<unknown>, text: string): Promise<EpisodeView> => {
  const id = idOf(text);
  const [episode] = id === undefined ? [] : await episodesByIds(services.db, [id], viewer);
  if (!episode) throw notFound('filter', text);
  return episode;
};

const md5Of =
  ({ id }: { readonly id: number }) =>
  (): string =>
    listMd5(Int32Array.of(id));

const shown = (view: PodcastView): NativeResult => objectResult(podcastObject, { view, episodes: [] }, { counted: true, md5: md5Of(view) });

const one = async (call: CallerCall<{ filter: string; include: (name: string) => boolean }>): Promise<NativeResult> => {
  const view = await podcastOf(call, call.params.filter);
  if (!call.params.include('episodes')) return shown(view);
  const whole = (await firstOf(podcastsWithEpisodes(call, Int32Array.of(view.id)))) ?? { view, episodes: [] };
  return objectResult(podcastObject, whole, { counted: true, md5: md5Of(view) });
};

/** A catalog that is not there is as wrong as one of music: 4710, and not 4704 (methods.json, `podcast_create`). */
const create = async (call: CallerCall<{ catalog: string; url: string }>): Promise<NativeResult> => {
  const { catalog, url } = call.params;
  const id = idOf(catalog);
  const [seen] = id === undefined ? [] : await catalogsByIds(call.services.db, [id], call.viewer);
  if (!seen) throw badValue('catalog', catalog);
  return shown(await podcastOf(call, String(await subscribeTo(keeperOf(call), { catalogId: seen.id, feedUrl: url }, 'url'))));
};

/** Answers when the feed has been read; asked by its level alone, whether podcasts are switched on or not (methods.json). */
const syncing = {
  params: z.object(named),
  aliases: { filter: ['filter', 'id'] },
  run: async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
    const podcast = await podcastOf(call, call.params.filter);
    await refreshPodcast(keeperOf(call), podcast);
    return { kind: 'success', message: `Synced episodes for podcast: ${podcast.id}` };
  },
};

/** Methods about podcasts. Feeds are read by the ingestion, which alone decides what it fetches. */
export const podcastMethods = {
  podcasts: gated(
    method({
      versions,
      access: 5,
      params: z.object({ filter: optional, exact: flag, include, add: dateRange, update: dateRange, offset, limit, cond, sort }),
      run: async (call) => {
        const query = listQuery('podcast', call.params, [], by('title'));
        if (!call.params.include('episodes'))
          return listResult(call, query, { table: podcastObject, read: (ids) => readPodcasts(call, ids) });
        const list = await call.services.lists.ids(query, call.viewer);
        return expandedResult(call, list, { table: podcastObject, steps: (ids) => podcastsWithEpisodes(call, ids) });
      },
    }),
  ),
  podcast: gated(method({ versions, access: 5, params: z.object({ ...named, include }), run: one })),
  podcast_create: gated(method({ versions, access: KEEPERS, params: z.object({ catalog: required, url: required }), run: create })),
  podcast_edit: gated(
    method({
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
        await rewritePodcast(keeperOf(call), podcast, call.params);
        return { kind: 'success', message: `podcast ${podcast.id} updated` };
      },
    }),
  ),
  podcast_delete: gated(
    method({
      versions,
      access: KEEPERS,
      params: z.object(named),
      run: async (call) => {
        const podcast = await podcastOf(call, call.params.filter);
        await removePodcast(keeperOf(call), podcast);
        return { kind: 'success', message: `podcast ${podcast.id} deleted` };
      },
    }),
  ),
  podcast_episodes: gated(
    method({
      versions,
      access: 5,
      params: z.object({ ...named, offset, limit, cond, sort }),
      run: async (call) => {
        const { id } = await podcastOf(call, call.params.filter);
        const { filter: _podcast, ...params } = call.params;
        const own = [{ name: 'podcast', value: String(id) }];
        return listResult(call, listQuery('podcast_episode', params, own, { name: 'pubdate', descending: true }), {
          table: episodeObject,
          read: (ids) => episodesByIds(call.services.db, ids, call.viewer),
        });
      },
    }),
  ),
  podcast_episode: gated(
    method({
      versions,
      access: 5,
      params: z.object(named),
      run: async (call) => {
        const episode = await episodeOf(call, call.params.filter);
        return objectResult(episodeObject, episode, { counted: true, md5: md5Of(episode) });
      },
    }),
  ),
  podcast_episode_delete: methodLookingFirst({
    versions,
    access: KEEPERS,
    params: z.object(named),
    look: (call) => {
      requirePodcasts(call);
      return episodeOf(call, call.params.filter);
    },
    run: async (call, episode) => {
      await removeEpisode(keeperOf(call), episode);
      return { kind: 'success', message: `podcast_episode ${episode.id} deleted` };
    },
  }),
  deleted_podcast_episodes: gated(
    method({
      versions: [5, 6, 8],
      access: 5,
      params: z.object({ offset, limit }),
      run: (call) =>
        listResult(call, listQuery('deleted_podcast_episode', call.params, [], by('id')), {
          table: deletedEpisodeObject,
          read: (ids) => deletedEpisodesByIds(call.services.db, ids, call.viewer),
          // XML has no counters for them (versions.md section 3.1).
          counted: call.format === 'json',
        }),
    }),
  ),
  podcast_update: method({ versions: [6, 8], access: EDITORS, ...syncing }),
  update_podcast: method({ versions, access: EDITORS, ...syncing }),
};
