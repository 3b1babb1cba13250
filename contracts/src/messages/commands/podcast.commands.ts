/** Commands about podcasts. The sender has checked that the caller may, and that the catalog or the podcast may be seen. */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, podcastEpisodeId, podcastId } from '../ids.js';
import {
  downloadCause,
  downloadRun,
  episodeAbout,
  episodeFile,
  episodeKey,
  feedMemory,
  fileRemovalCause,
  MAX_DOWNLOAD_REASON,
  MAX_FEED_FAULT,
  MAX_PODCAST_EPISODES_PER_COMMAND,
  podcastAbout,
  podcastUrl,
} from '../podcast.js';
import { artRef } from '../track.js';

const none = z.object({});

/** Makes a podcast of a feed that was read. Refused as `podcast.feed-taken` when the catalog has it. */
export const createPodcast = defineCommand(
  'library',
  'create-podcast',
  z.object({ catalogId, feedUrl: podcastUrl, about: podcastAbout }),
  z.object({ podcastId }),
);

/** Changes what is said of a podcast; what is not named stays. Refused as `podcast.not-found`, `podcast.feed-taken`. */
export const editPodcast = defineCommand(
  'library',
  'edit-podcast',
  z.object({ podcastId, feedUrl: podcastUrl.optional(), about: podcastAbout.partial() }),
  none,
);

/**
 * Records episodes of a feed: those not known are added, those that say something else are changed, deleted ones stay away; episodes that are not mentioned stay
 * as they are. Sending the same twice changes nothing. Refused as `podcast.not-found`.
 */
export const recordEpisodes = defineCommand(
  'library',
  'record-podcast-episodes',
  z.object({ podcastId, episodes: z.array(z.object({ key: episodeKey, about: episodeAbout })).max(MAX_PODCAST_EPISODES_PER_COMMAND) }),
  z.object({ added: z.int().nonnegative(), changed: z.int().nonnegative() }),
);

/** Records a visit to the feed, after its episodes: `about` and `memory` are null when there was nothing new. Refused as `podcast.not-found`. */
export const recordPodcastVisit = defineCommand(
  'library',
  'record-podcast-visit',
  z.object({ podcastId, about: podcastAbout.nullable(), memory: feedMemory.nullable() }),
  none,
);

/** Records that the feed cannot be read, and why; the same again changes nothing. Refused as `podcast.not-found`. */
export const recordPodcastFault = defineCommand(
  'library',
  'record-podcast-fault',
  z.object({ podcastId, reason: z.string().max(MAX_FEED_FAULT) }),
  none,
);

/** Records that the picture which the feed names is kept; the same one again changes nothing. */
export const recordPodcastArt = defineCommand(
  'library',
  'record-podcast-art',
  z.object({ podcastId, imageUrl: podcastUrl, art: artRef }),
  none,
);

/** Removes a podcast and its episodes; removing it again changes nothing. */
export const deletePodcast = defineCommand('library', 'delete-podcast', z.object({ podcastId }), none);

/** Removes an episode for good. Refused as `podcast.not-found` and `podcast-episode.not-found`. */
export const deletePodcastEpisode = defineCommand(
  'library',
  'delete-podcast-episode',
  z.object({ podcastId, episodeId: podcastEpisodeId }),
  none,
);

const someEpisodes = z.array(podcastEpisodeId).min(1).max(MAX_PODCAST_EPISODES_PER_COMMAND);

/**
 * Has the files of episodes fetched. What is kept, or on its way, already stays as it is; `requested` says how many are new on the way. Refused as `podcast.not-found`,
 * `podcast-episode.not-found`.
 */
export const requestEpisodeDownloads = defineCommand(
  'library',
  'request-episode-downloads',
  z.object({ podcastId, episodeIds: someEpisodes, cause: downloadCause.default('asked') }),
  z.object({ requested: z.int().nonnegative() }),
);

/**
 * Gives up the files of episodes, and the downloads of those that have not arrived; the episodes stay. Refused as `podcast.not-found`; episodes without a file
 * are passed over.
 */
export const removeEpisodeFiles = defineCommand(
  'library',
  'remove-episode-files',
  z.object({ podcastId, episodeIds: someEpisodes, cause: fileRemovalCause.default('asked') }),
  z.object({ removed: z.int().nonnegative() }),
);

const download = { podcastId, episodeId: podcastEpisodeId, run: downloadRun };
/** False: nobody wants this download any more; what came of it may go. */
const whetherWanted = z.object({ isWanted: z.boolean() });

/** A worker begins a download, or goes on with it. `isKept`: its file is the one that is kept. */
export const beginEpisodeDownload = defineCommand(
  'library',
  'begin-episode-download',
  z.object(download),
  z.object({ isWanted: z.boolean(), isKept: z.boolean() }),
);

/** The file of a download is where it belongs. */
export const recordEpisodeFile = defineCommand(
  'library',
  'record-episode-file',
  z.object({ ...download, file: episodeFile }),
  whetherWanted,
);

/** A download has come to nothing. */
export const failEpisodeDownload = defineCommand(
  'library',
  'fail-episode-download',
  z.object({ ...download, reason: z.string().max(MAX_DOWNLOAD_REASON) }),
  whetherWanted,
);

/**
 * Reads a feed and makes a podcast of it. Refused as `podcast.feed-unusable` (the message says why), `podcast.feed-taken`, `podcast.wrong-catalog`.
 */
export const subscribePodcast = defineCommand(
  'ingest',
  'subscribe-podcast',
  z.object({ catalogId, feedUrl: podcastUrl }),
  z.object({ podcastId }),
);

/** Reads the feed of a podcast again. Refused as `podcast.feed-unusable`, `podcast.not-found`. */
export const syncPodcast = defineCommand(
  'ingest',
  'sync-podcast',
  z.object({ podcastId }),
  z.object({ added: z.int().nonnegative(), changed: z.int().nonnegative() }),
);

/**
 * Has the feeds of podcasts visited soon, and answers at once: those of some catalogs, or all of them. What is to be visited is known to one process alone; whatever
 * it leaves when it ends is visited when its hour comes.
 */
export const refreshPodcasts = defineCommand(
  'ingest',
  'refresh-podcasts',
  z.object({ catalogIds: z.array(catalogId).max(10_000).nullable() }),
  none,
);
