import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId, podcastEpisodeId, podcastId } from '../ids.js';
import {
  downloadCause,
  downloadRun,
  episodeAbout,
  episodeFile,
  episodeKey,
  episodePath,
  feedMemory,
  fileRemovalCause,
  MAX_DOWNLOAD_REASON,
  MAX_FEED_FAULT,
  podcastAbout,
  podcastUrl,
} from '../podcast.js';

const place = { podcastId, catalogId };
const episodes = { ...place, episodes: z.array(z.object({ episodeId: podcastEpisodeId, key: episodeKey, about: episodeAbout })) };

/** A feed was subscribed to. */
export const podcastCreated = defineEvent('PodcastCreated', z.object({ ...place, feedUrl: podcastUrl, about: podcastAbout }));

/** Somebody changed what is said of a podcast; later visits to its feed leave these fields alone. */
export const podcastEdited = defineEvent(
  'PodcastEdited',
  z.object({ ...place, feedUrl: podcastUrl.optional(), about: podcastAbout.partial() }),
);

/** The feed was visited: what it says otherwise than before, and what its server is to be asked with next time. */
export const podcastSynced = defineEvent('PodcastSynced', z.object({ ...place, about: podcastAbout.partial(), memory: feedMemory }));

/** The feed cannot be read, for a reason that may be shown; what is known of it stays. The next visit that works, and another address, end that. */
export const podcastFeedFailed = defineEvent('PodcastFeedFailed', z.object({ ...place, reason: z.string().max(MAX_FEED_FAULT) }));

/** Episodes that were not known. */
export const podcastEpisodesAdded = defineEvent('PodcastEpisodesAdded', z.object(episodes));

/** The feed says something else of known episodes. */
export const podcastEpisodesChanged = defineEvent('PodcastEpisodesChanged', z.object(episodes));

/**
 * Somebody deleted an episode: it stays away, whatever the feed says; `key` is the digest under which the podcast knows it. `path` is there when a file of it was
 * kept, which goes, too.
 */
export const podcastEpisodeDeleted = defineEvent(
  'PodcastEpisodeDeleted',
  z.object({ ...place, episodeId: podcastEpisodeId, key: episodeKey, path: episodePath.optional() }),
);

/** The files of episodes are to be fetched; `run` is the number of each download among those of its episode. */
export const podcastDownloadsRequested = defineEvent(
  'PodcastDownloadsRequested',
  z.object({ ...place, cause: downloadCause, downloads: z.array(z.object({ episodeId: podcastEpisodeId, run: downloadRun })) }),
);

const download = { ...place, episodeId: podcastEpisodeId, run: downloadRun };

/** A worker has begun to fetch a file. */
export const podcastDownloadBegun = defineEvent('PodcastDownloadBegun', z.object(download));

/** The file of an episode is here. */
export const podcastEpisodeDownloaded = defineEvent('PodcastEpisodeDownloaded', z.object({ ...download, file: episodeFile }));

/** A file cannot be had, for a reason that may be shown. */
export const podcastDownloadFailed = defineEvent(
  'PodcastDownloadFailed',
  z.object({ ...download, reason: z.string().max(MAX_DOWNLOAD_REASON) }),
);

/** Files are not wanted any more that had not arrived yet. */
export const podcastDownloadsCancelled = defineEvent(
  'PodcastDownloadsCancelled',
  z.object({ ...place, episodeIds: z.array(podcastEpisodeId) }),
);

/** Files of episodes are not kept any more; the episodes stay. */
export const podcastFilesRemoved = defineEvent(
  'PodcastFilesRemoved',
  z.object({ ...place, cause: fileRemovalCause, files: z.array(z.object({ episodeId: podcastEpisodeId, path: episodePath })) }),
);

/** A podcast is gone with its episodes. */
export const podcastDeleted = defineEvent('PodcastDeleted', z.object(place));

/** The address of a feed is held by one podcast of a catalog. */
export const podcastFeedReserved = defineEvent('PodcastFeedReserved', z.object({ ...place, feedUrl: podcastUrl }));

/** The address is free again. */
export const podcastFeedReleased = defineEvent('PodcastFeedReleased', z.object({ ...place, feedUrl: podcastUrl }));

export type PodcastEvent = EventOf<
  | typeof podcastCreated
  | typeof podcastEdited
  | typeof podcastSynced
  | typeof podcastFeedFailed
  | typeof podcastEpisodesAdded
  | typeof podcastEpisodesChanged
  | typeof podcastEpisodeDeleted
  | typeof podcastDownloadsRequested
  | typeof podcastDownloadBegun
  | typeof podcastEpisodeDownloaded
  | typeof podcastDownloadFailed
  | typeof podcastDownloadsCancelled
  | typeof podcastFilesRemoved
  | typeof podcastDeleted
>;
