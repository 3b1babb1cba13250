import {
  catalogId,
  deletePodcast,
  deletePodcastEpisode,
  editPodcast,
  given,
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
import { runAndAwaitReadModel, runCommand, runLongCommand } from '../server/commands.js';
import type { CallerWith } from '../server/requests/request-context.js';
import type { EpisodeView, PodcastView } from '../reads/podcasts/podcasts.reads.js';
import type { HasCommands, HasConfig } from '../server/needs.js';

type Services = HasCommands & HasConfig;

/** Caller that manages podcasts. */
export type PodcastEditor = CallerWith<Services>;

/** Timeout of a feed refresh, ms; the request for the feed has a shorter limit of its own. */
const VISIT_MS = 120_000;

/**
 * Subscribes to a feed in a catalog that the caller sees; returns the podcast's id.
 * @throws Rejection `input.invalid` of `parameter` for an invalid address, `podcast.feed-unusable`, `podcast.feed-taken`,
 * `podcast.wrong-catalog`
 */
export const subscribeTo = async (
  { services, context }: PodcastEditor,
  wanted: { readonly catalogId: number; readonly feedUrl: string },
  parameter: string,
): Promise<number> => {
  const feedUrl = wanted.feedUrl.trim();
  // The value is not repeated in the message: it may contain a password.
  if (!isPodcastUrl(feedUrl))
    throw new Rejection('input.invalid', `${parameter} is no http or https address, or has a name and a password in it`, parameter);
  const data = { catalogId: catalogId.parse(wanted.catalogId), feedUrl };
  return (await runAndAwaitReadModel(services, context, { command: subscribePodcast, timeoutMs: VISIT_MS }, data)).podcastId;
};

/** Refreshes the feed of a podcast that the caller sees, waits for it and tells how many episodes it changed. @throws Rejection `podcast.feed-unusable` */
export const refreshPodcast = (
  { services, context }: PodcastEditor,
  { id }: PodcastView,
): Promise<{ readonly added: number; readonly changed: number }> =>
  runLongCommand(services, context, { command: syncPodcast, timeoutMs: VISIT_MS }, { podcastId: podcastId.parse(id) });

/** Starts refreshing the feeds of all podcasts that the caller sees, without waiting. */
export const refreshAll = async ({ services, context, viewer }: PodcastEditor): Promise<void> => {
  const catalogIds = viewer.catalogs === 'all' ? null : viewer.catalogs.map((id) => catalogId.parse(id));
  await runCommand(services, context, refreshPodcasts, { catalogIds });
};

/** Unparsed changes of a podcast; absent fields stay. */
export interface PodcastInput {
  readonly feed?: string | undefined;
  readonly title?: string | undefined;
  readonly website?: string | undefined;
  readonly description?: string | undefined;
  readonly generator?: string | undefined;
  readonly copyright?: string | undefined;
}

const cut = (text: string | undefined, length: number): string | undefined => text?.toWellFormed().trim().slice(0, length).toWellFormed();
/** Invalid addresses are ignored, as if absent. */
const addressOf = (text: string | undefined): string | undefined =>
  text !== undefined && isPodcastUrl(text.trim()) ? text.trim() : undefined;
/** A podcast always has a title, so an empty one is ignored. */
const titleOf = (text: string | undefined): string | undefined => cut(text, MAX_PODCAST_LINE) || undefined;
const siteOf = (text: string | undefined): string | null | undefined => (text?.trim() === '' ? null : addressOf(text));

/** Changes a podcast that the caller sees; an empty website removes it. @throws Rejection `podcast.feed-taken` */
export const rewritePodcast = async ({ services, context }: PodcastEditor, { id }: PodcastView, written: PodcastInput): Promise<void> => {
  const about = given({
    title: titleOf(written.title),
    description: cut(written.description, MAX_PODCAST_TEXT),
    generator: cut(written.generator, MAX_PODCAST_LINE),
    copyright: cut(written.copyright, MAX_PODCAST_LINE),
    websiteUrl: siteOf(written.website),
  });
  await runCommand(services, context, editPodcast, {
    podcastId: podcastId.parse(id),
    ...given({ feedUrl: addressOf(written.feed) }),
    about,
  });
};

/** Deletes a podcast that the caller sees, with its episodes. */
export const removePodcast = async ({ services, context }: PodcastEditor, { id }: PodcastView): Promise<void> => {
  await runCommand(services, context, deletePodcast, { podcastId: podcastId.parse(id) });
};

/** Deletes an episode that the caller sees. */
export const removeEpisode = async ({ services, context }: PodcastEditor, { id, podcastId: podcast }: EpisodeView): Promise<void> => {
  const data = { podcastId: podcastId.parse(podcast), episodeId: podcastEpisodeId.parse(id) };
  await runCommand(services, context, deletePodcastEpisode, data);
};

/**
 * Deletes the file of an episode that the caller sees, or cancels its download; the episode stays and can be fetched again. Does nothing
 * without a file.
 */
export const removeEpisodeFile = async ({ services, context }: PodcastEditor, { id, podcastId: podcast }: EpisodeView): Promise<void> => {
  const data = { podcastId: podcastId.parse(podcast), episodeIds: [podcastEpisodeId.parse(id)] };
  await runCommand(services, context, removeEpisodeFiles, data);
};

/** Starts the download of an episode that the caller sees, without waiting; does nothing when the file is kept or queued. */
export const downloadEpisode = async ({ services, context }: PodcastEditor, { id, podcastId: podcast }: EpisodeView): Promise<void> => {
  const data = { podcastId: podcastId.parse(podcast), episodeIds: [podcastEpisodeId.parse(id)] };
  await runCommand(services, context, requestEpisodeDownloads, data);
};
