import { podcastUrl, Rejection } from '@continuo/contracts';
import { z } from 'zod';
import { refreshAll, refreshPodcast, removePodcast, rewritePodcast, subscribeTo, type PodcastEditor } from '../../../features/podcasts.js';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { podcastIdsAfter, podcastsByIds, type PodcastView } from '../../../reads/podcasts/podcasts.reads.js';
import type { Viewer } from '../../../reads/visibility/viewer.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { id, idPath } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const podcast = z
  .object({
    id,
    catalogId: id,
    feedUrl: z.string(),
    title: z.string(),
    description: z.string(),
    author: z.string(),
    language: z.string(),
    websiteUrl: z.string().nullable(),
    episodeCount: z.int(),
    addedAt: time,
    visitedAt: time.nullable().meta({ description: 'When its feed was last read' }),
    problem: z.string().nullable().meta({ description: 'Why its feed could not be read the last time' }),
  })
  .meta({ id: 'Podcast' });

const shown = (view: PodcastView): z.output<typeof podcast> => ({
  id: view.id,
  catalogId: view.catalogId,
  feedUrl: view.feedUrl,
  title: view.title,
  description: view.description,
  author: view.author,
  language: view.language,
  websiteUrl: view.websiteUrl,
  episodeCount: view.episodeCount,
  addedAt: timeText(view.addedAtMs),
  visitedAt: timeTextOrNull(view.syncedAtMs),
  problem: view.feedError,
});

/** @throws Rejection `podcast.not-found` */
const podcastById = async ({ db }: HasReadModel, viewer: Viewer, wanted: number): Promise<PodcastView> => {
  const [found] = await podcastsByIds(db, [wanted], viewer);
  if (!found) throw new Rejection('podcast.not-found');
  return found;
};

type Call = Pick<OperationCall<unknown, unknown, unknown, Services>, 'services' | 'request' | 'viewer'>;
const editor = ({ services, request, viewer }: Call): PodcastEditor => ({ services, context: request, viewer });

const newPodcast = z.strictObject({ catalogId: id, feedUrl: podcastUrl }).meta({ id: 'NewPodcast' });
const podcastChange = z
  .strictObject({
    feedUrl: podcastUrl,
    title: z.string().trim().min(1).max(255),
    description: z.string().max(8000),
    websiteUrl: podcastUrl.or(z.literal('')).meta({ description: 'Empty: none' }),
  })
  .partial()
  .meta({ id: 'PodcastChange' });

const visit = z.object({ episodesAdded: z.int(), episodesChanged: z.int() }).meta({ id: 'PodcastVisit' });

/** More podcasts than anybody has. */
const ALL = 1_000_000;

/** Operations on podcasts and the visits of their feeds. */
export const podcastOperations = {
  listPodcasts: operation({
    method: 'GET',
    path: '/podcasts',
    family: 'podcasts',
    access: 'read',
    summary: 'Lists podcasts by number, with the latest visit of their feeds',
    query: pageQuery,
    answer: pageOf(podcast),
    run: async ({ query, services, viewer }) => {
      const afterId = readCursor(z.int().min(0), query.cursor) ?? 0;
      const ids = await podcastIdsAfter(services.db, viewer, { afterId, limit: rowsOfPage(query) });
      const page = cutPage(await podcastsByIds(services.db, ids, viewer), query, (one) => one.id);
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getPodcast: operation({
    method: 'GET',
    path: '/podcasts/{id}',
    family: 'podcasts',
    access: 'read',
    summary: 'Answers a podcast',
    params: idPath,
    answer: podcast,
    errors: ['podcast.not-found'],
    aggregates: async ({ params }) => [['library', 'podcast', params.id]],
    run: async ({ params, services, viewer }) => shown(await podcastById(services, viewer, params.id)),
  }),
  subscribePodcast: operation({
    method: 'POST',
    path: '/podcasts',
    family: 'podcasts',
    access: 'write',
    summary: 'Reads a feed and makes a podcast of it',
    body: newPodcast,
    answer: podcast,
    status: 201,
    errors: ['podcast.feed-taken', 'podcast.feed-unusable', 'podcast.wrong-catalog'],
    locate: (made) => `/podcasts/${made.id}`,
    run: async (call) => shown(await podcastById(call.services, call.viewer, await subscribeTo(editor(call), call.body, 'feedUrl'))),
  }),
  changePodcast: operation({
    method: 'PATCH',
    path: '/podcasts/{id}',
    family: 'podcasts',
    access: 'write',
    summary: 'Changes what is named of a podcast',
    params: idPath,
    body: podcastChange,
    answer: podcast,
    errors: ['podcast.not-found', 'podcast.feed-taken'],
    run: async (call) => {
      const { feedUrl, websiteUrl, ...rest } = call.body;
      const before = await podcastById(call.services, call.viewer, call.params.id);
      await rewritePodcast(editor(call), before, { ...rest, feed: feedUrl, website: websiteUrl });
      return shown(await podcastById(call.services, call.viewer, before.id));
    },
  }),
  deletePodcast: operation({
    method: 'DELETE',
    path: '/podcasts/{id}',
    family: 'podcasts',
    access: 'write',
    summary: 'Deletes a podcast with its episodes',
    params: idPath,
    errors: ['podcast.not-found'],
    run: async (call) => removePodcast(editor(call), await podcastById(call.services, call.viewer, call.params.id)),
  }),
  visitPodcast: operation({
    method: 'POST',
    path: '/podcasts/{id}/visits',
    family: 'podcasts',
    access: 'write',
    summary: 'Reads the feed of a podcast now, and answers what was new',
    params: idPath,
    answer: visit,
    errors: ['podcast.not-found', 'podcast.feed-unusable'],
    run: async (call) => {
      const { params, services, request, viewer } = call;
      const known = await podcastById(services, viewer, params.id);
      await recordPerformed(services, request, 'visitPodcast', known.id);
      const { added, changed } = await refreshPodcast(editor(call), known);
      return { episodesAdded: added, episodesChanged: changed };
    },
  }),
  visitAllPodcasts: operation({
    method: 'POST',
    path: '/podcast-visits',
    family: 'podcasts',
    access: 'write',
    summary: 'Has the feeds of all podcasts read soon, without waiting for it',
    answer: z.object({ podcasts: z.int().meta({ description: 'Podcasts to visit' }) }).meta({ id: 'PodcastVisits' }),
    status: 202,
    run: async (call) => {
      const { services, request, viewer } = call;
      await recordPerformed(services, request, 'visitAllPodcasts');
      await refreshAll(editor(call));
      const ids = await podcastIdsAfter(services.db, viewer, { afterId: 0, limit: ALL });
      return { podcasts: ids.length };
    },
  }),
};
