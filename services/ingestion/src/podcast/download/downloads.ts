import { systemContext, type CommandClient, type ProjectionWatch } from '@continuo/chassis';
import {
  failEpisodeDownload,
  removeEpisodeFiles,
  requestEpisodeDownloads,
  type LogPosition,
  type MessageContext,
  type PodcastId,
} from '@continuo/contracts';
import type { DownloadReads } from './downloads.reads.js';

/** Limits on fetched and retained episodes. */
export interface DownloadTerms {
  /** So many of the newest are here without anybody asking for them; negative: all. */
  readonly newest: number;
  /** So many stay of those that nobody asked for; 0 or less: all. */
  readonly keep: number;
}

/** Dependencies of {@link Downloads}. */
export interface DownloadsDependencies {
  readonly commands: CommandClient;
  readonly reads: DownloadReads;
  readonly watch: ProjectionWatch;
  /** Reads the current terms. */
  readonly terms: () => Promise<DownloadTerms>;
  readonly now: () => number;
}

/** Most episodes of one podcast that are wanted, or given up, at a time: as many as one command takes. */
const AT_ONCE = 200;
/** A file that failed so often is not wanted again by itself. */
const MAX_RUNS = 3;
const PROJECTED_MS = 5000;
/** A download of which nobody has spoken for so long has lost its job. */
const STUCK_MS = 24 * 3_600_000;
const STUCK_AT_ONCE = 100;

/** Sees to it that of each podcast the newest episodes are here, and not too many. */
export class Downloads {
  constructor(private readonly deps: DownloadsDependencies) {}

  /** After a visit to the feed, whose last words lie at `positions` in the log. Doing it again changes nothing. */
  async afterVisit(podcastId: PodcastId, positions: readonly LogPosition[], context: MessageContext): Promise<void> {
    const { reads, watch, commands } = this.deps;
    const { newest, keep } = await this.deps.terms();
    const wanted = newest < 0 ? AT_ONCE : Math.min(newest, AT_ONCE);
    const among = keep > 0 ? Math.min(wanted, keep) : wanted;
    if (among === 0) return;
    await watch.waitFor(positions, PROJECTED_MS);
    const episodeIds = await reads.missingNewest(podcastId, among, MAX_RUNS);
    if (episodeIds.length > 0)
      await commands.send(requestEpisodeDownloads, { podcastId, episodeIds: [...episodeIds], cause: 'newest' }, context);
  }

  /** Gives up what newer episodes have taken the place of. What somebody asked for stays until somebody gives it up. */
  async prune(podcastId: PodcastId, positions: readonly LogPosition[], context: MessageContext): Promise<void> {
    const { reads, watch, commands } = this.deps;
    const { keep } = await this.deps.terms();
    if (keep <= 0) return;
    await watch.waitFor(positions, PROJECTED_MS);
    const episodeIds = await reads.beyond(podcastId, keep, AT_ONCE);
    if (episodeIds.length > 0)
      await commands.send(removeEpisodeFiles, { podcastId, episodeIds: [...episodeIds], cause: 'retention' }, context);
  }

  /** Ends downloads whose job got lost, as a dead letter say, so that they can be asked for again. */
  async round(signal: AbortSignal): Promise<void> {
    const { reads, commands, now } = this.deps;
    const context = systemContext();
    for (const download of await reads.stuck(now() - STUCK_MS, STUCK_AT_ONCE)) {
      if (signal.aborted) return;
      await commands.send(failEpisodeDownload, { ...download, reason: 'nobody fetched it within a day' }, context);
    }
  }
}
