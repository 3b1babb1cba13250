import {
  catalogId,
  deletePodcast,
  deletePodcastEpisode,
  editPodcast,
  isPodcastUrl,
  MAX_PODCAST_LINE,
  MAX_PODCAST_TEXT,
  podcastEpisodeId,
  podcastId,
  refreshPodcasts,
  Rejection,
  removeEpisodeFiles,
  requestEpisodeDownloads,
  subscribePodcast,
  syncPodcast,
} from '@continuo/contracts';
import { makeShown, runCommand, runLongCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import type { EpisodeView, PodcastView } from '../reads/podcasts.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/** Who looks after podcasts, on whatever surface. */
export interface PodcastKeeper {
  readonly services: GatewayServices;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** A feed may be slow, and large: its visit has a limit of its own, below this. */
const VISIT_MS = 120_000;

/**
 * Subscribes to a feed in a catalog that the caller sees, and answers the number of the podcast.
 * @throws Rejection `input.invalid` of `parameter` for what is no address, `podcast.feed-unusable`, `podcast.feed-taken`, `podcast.wrong-catalog`
 */
export const subscribeTo = async (
  { services, context }: PodcastKeeper,
  wanted: { readonly catalogId: number; readonly feedUrl: string },
  parameter: string,
): Promise<number> => {
  const feedUrl = wanted.feedUrl.trim();
  // What was sent is not repeated: it may hold a password.
  if (!isPodcastUrl(feedUrl))
    throw new Rejection('input.invalid', `${parameter} is no http or https address, or has a name and a password in it`, parameter);
  const data = { catalogId: catalogId.parse(wanted.catalogId), feedUrl };
  return (await makeShown(services, context, { command: subscribePodcast, timeoutMs: VISIT_MS }, data)).podcastId;
};

/** Reads the feed of a podcast that the caller sees again, and answers when that is done. @throws Rejection `podcast.feed-unusable` */
export const refreshPodcast = async ({ services, context }: PodcastKeeper, { id }: PodcastView): Promise<void> => {
  await runLongCommand(services, context, { command: syncPodcast, timeoutMs: VISIT_MS }, { podcastId: podcastId.parse(id) });
};

/** Has the feeds of all podcasts that the caller sees read again, and answers at once. */
export const refreshAll = async ({ services, context, viewer }: PodcastKeeper): Promise<void> => {
  const catalogIds = viewer.catalogs === 'all' ? null : viewer.catalogs.map((id) => catalogId.parse(id));
  await runCommand(services, context, refreshPodcasts, { catalogIds });
};

/** What somebody writes of a podcast; what is not said stays. */
export interface WrittenPodcast {
  readonly feed?: string | undefined;
  readonly title?: string | undefined;
  readonly website?: string | undefined;
  readonly description?: string | undefined;
  readonly generator?: string | undefined;
  readonly copyright?: string | undefined;
}

const cut = (text: string | undefined, length: number): string | undefined => text?.toWellFormed().trim().slice(0, length).toWellFormed();
/** Addresses that are none are as if they had not been said (methods.json, `podcast_edit`). */
const addressOf = (text: string | undefined): string | undefined =>
  text !== undefined && isPodcastUrl(text.trim()) ? text.trim() : undefined;
/** A podcast keeps a title. */
const titleOf = (text: string | undefined): string | undefined => cut(text, MAX_PODCAST_LINE) || undefined;
const siteOf = (text: string | undefined): string | null | undefined => (text?.trim() === '' ? null : addressOf(text));

const known = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** Changes what is said of a podcast that the caller sees; an empty page takes it away. @throws Rejection `podcast.feed-taken` */
export const rewritePodcast = async ({ services, context }: PodcastKeeper, { id }: PodcastView, written: WrittenPodcast): Promise<void> => {
  const about = known({
    title: titleOf(written.title),
    description: cut(written.description, MAX_PODCAST_TEXT),
    generator: cut(written.generator, MAX_PODCAST_LINE),
    copyright: cut(written.copyright, MAX_PODCAST_LINE),
    websiteUrl: siteOf(written.website),
  });
  await runCommand(services, context, editPodcast, {
    podcastId: podcastId.parse(id),
    ...known({ feedUrl: addressOf(written.feed) }),
    about,
  });
};

/** Removes a podcast that the caller sees, with its episodes. */
export const removePodcast = async ({ services, context }: PodcastKeeper, { id }: PodcastView): Promise<void> => {
  await runCommand(services, context, deletePodcast, { podcastId: podcastId.parse(id) });
};

/** Removes an episode that the caller sees, for good. */
export const removeEpisode = async ({ services, context }: PodcastKeeper, { id, podcastId: podcast }: EpisodeView): Promise<void> => {
  const data = { podcastId: podcastId.parse(podcast), episodeId: podcastEpisodeId.parse(id) };
  await runCommand(services, context, deletePodcastEpisode, data);
};

/**
 * Gives up the file of an episode that the caller sees, or its download; the episode stays, and can be fetched again. Nothing for an episode without a file.
 */
export const removeEpisodeFile = async ({ services, context }: PodcastKeeper, { id, podcastId: podcast }: EpisodeView): Promise<void> => {
  const data = { podcastId: podcastId.parse(podcast), episodeIds: [podcastEpisodeId.parse(id)] };
  await runCommand(services, context, removeEpisodeFiles, data);
};

/** Has the file of an episode that the caller sees fetched, and answers at once; nothing when it is here or on its way. */
export const downloadEpisode = async ({ services, context }: PodcastKeeper, { id, podcastId: podcast }: EpisodeView): Promise<void> => {
  const data = { podcastId: podcastId.parse(podcast), episodeIds: [podcastEpisodeId.parse(id)] };
  await runCommand(services, context, requestEpisodeDownloads, data);
};
