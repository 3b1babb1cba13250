import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AttemptFailed,
  NotWanted,
  RetryLater,
  whileWanted,
  type CommandClient,
  type JobDelivery,
  type ProjectionWatch,
} from '@continuo/chassis';
import {
  beginEpisodeDownload,
  errorTable,
  failEpisodeDownload,
  MAX_DOWNLOAD_REASON,
  recordEpisodeFile,
  Rejection,
  type EpisodeFile,
  type PodcastEpisodeId,
  type PodcastId,
} from '@continuo/contracts';
import type { Logger } from 'pino';
import { syncFolder } from '@continuo/media-store';
import { errorCode } from '../../walk/list-folder.js';
import { DownloadFault } from './download-fault.js';
import type { DownloadReads, WantedEpisode } from './downloads.reads.js';
import { fileFault, finishedName, GONE, hasFolder, placeOf, removePart, removeTraces, type EpisodePath } from './episode-path.js';
import { EpisodeFetch, type FetchDependencies } from './fetch-episode.js';
import { inspectEpisode, type EpisodeReaders } from './inspect-episode.js';

/** Dependencies of {@link DownloadWorker}. */
export interface DownloadWorkerDependencies extends FetchDependencies, EpisodeReaders {
  readonly commands: CommandClient;
  readonly watch: ProjectionWatch;
  readonly reads: DownloadReads;
  readonly log: Logger;
}

/** One download. */
export interface DownloadJob {
  readonly podcastId: PodcastId;
  readonly episodeId: PodcastEpisodeId;
  readonly run: number;
}

/** Attempts after which a job is put aside; workers that died of nothing to do with it are among them. */
export const MAX_DOWNLOAD_ATTEMPTS = 60;
/** Attempts after which a file that does not come counts as one that cannot be had. */
const MAX_DISTURBED_ATTEMPTS = 8;
/** Bytes that an attempt must gain for the next one to begin at once. */
const WORTH_GOING_ON_BYTES = 1_000_000;
const GO_ON_MS = 1000;
const FIRST_PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** Where this side is at fault. */
const OWN_PAUSE_MS = 1000;
const LONGEST_OWN_PAUSE_MS = 15_000;
const NO_ROOM_PAUSE_MS = 60_000;
const MAX_NO_ROOM_ATTEMPTS = 5;
const LOOK_INTERVAL_MS = 1000;
const BEHIND_MS = 500;
const PROJECTED_MS = 5000;

/**
 * Fetches the files of episodes, one per job. The podcast itself has the word on who may: a second delivery after a crash, or a worker that was thought
 * dead, changes nothing. What has arrived lies under a hidden name beside the place of the file; whoever takes the job up goes on from there.
 */
export class DownloadWorker {
  constructor(private readonly deps: DownloadWorkerDependencies) {}

  /** @throws AttemptFailed, RetryLater to have the job again; any other error, too, after a pause */
  async run(job: DownloadJob, delivery: JobDelivery): Promise<void> {
    try {
      await this.#run(job, delivery);
    } catch (error) {
      if (!(error instanceof Rejection) || errorTable[error.code].retry === 'never') throw error;
      // A part of the server is away, which does not last.
      throw new AttemptFailed(Math.min(LONGEST_OWN_PAUSE_MS, OWN_PAUSE_MS * delivery.attempt), error.message, { cause: error });
    }
  }

  async #run(job: DownloadJob, delivery: JobDelivery): Promise<void> {
    const { commands, watch } = this.deps;
    const begun = await commands.send(beginEpisodeDownload, job, delivery);
    await watch.waitFor(begun.positions, PROJECTED_MS);
    const episode = await this.deps.reads.episode(job.episodeId);
    // Of an episode that is gone all files go (see the controller).
    if (!begun.result.isWanted) return episode && this.#clear(job, episode, begun.result);
    if (!episode || episode.run < job.run) throw new RetryLater(BEHIND_MS, 'the library does not show it yet');
    try {
      await this.#keep(job, episode, delivery);
    } catch (error) {
      if (error instanceof NotWanted) return this.#leave(job, episode, delivery);
      // Of what is given up the files go at once, also from under the hands of who fetches them: that is no fault.
      if (isAboutFiles(error) && (await this.#isGivenUp(job, delivery))) return this.#leave(job, episode, delivery);
      if (!(error instanceof DownloadFault)) throw error;
      await this.#afterFault(error, job, { episode, delivery });
    }
  }

  async #isGivenUp(job: DownloadJob, delivery: JobDelivery): Promise<boolean> {
    return !(await this.deps.commands.send(beginEpisodeDownload, job, delivery)).result.isWanted;
  }

  /** Somebody gave the file up, or another worker has brought it: the podcast knows. */
  async #leave(job: DownloadJob, episode: WantedEpisode, delivery: JobDelivery): Promise<void> {
    const { result } = await this.deps.commands.send(beginEpisodeDownload, job, delivery);
    if (result.isWanted) throw new RetryLater(BEHIND_MS, 'the library shows something else');
    await this.#clear(job, episode, result);
  }

  /** Takes away what is left of a download. What cannot be removed now is no reason to do it all again. */
  async #clear(job: DownloadJob, episode: WantedEpisode, { isKept }: { readonly isKept: boolean }): Promise<void> {
    try {
      // The folder of a podcast that is gone is not made anew.
      if (!(await hasFolder(episode.catalogPath, job.podcastId))) return;
      const place = await placeOf(episode.catalogPath, { ...job, ...episode, run: job.run });
      await (isKept ? removePart(place) : removeTraces(place));
    } catch (error) {
      this.deps.log.warn({ err: error, ...job }, 'failed to remove partial download');
    }
  }

  async #keep(job: DownloadJob, episode: WantedEpisode, delivery: JobDelivery): Promise<void> {
    if (episode.catalogType !== 'local') throw new DownloadFault('refused', 'the catalog is no folder of this server');
    const place = await placeOf(episode.catalogPath, { ...job, ...episode, run: job.run });
    const file = (await this.#finished(place)) ?? (await this.#fetch(place, job, { episode, delivery }));
    // Before anything is said of it: nobody looks for it afterwards.
    await removePart(place);
    const { result } = await this.deps.commands.send(recordEpisodeFile, { ...job, file }, delivery);
    if (!result.isWanted) throw new NotWanted();
  }

  /** The file of an attempt that ended before it could say so. */
  async #finished(place: EpisodePath): Promise<EpisodeFile | undefined> {
    const name = await finishedName(place);
    if (name === undefined) return undefined;
    return { ...(await inspectEpisode(this.deps, join(place.folder, name))), path: `${place.folderName}/${name}` };
  }

  async #fetch(
    place: EpisodePath,
    job: DownloadJob,
    { episode, delivery }: { readonly episode: WantedEpisode; readonly delivery: JobDelivery },
  ): Promise<EpisodeFile> {
    const { episodeId, run } = job;
    await whileWanted({
      work: (signal) => new EpisodeFetch(this.deps, episode.mediaUrl, place).run(signal),
      isWanted: async () => {
        const now = await this.deps.reads.episode(episodeId);
        return now?.run === run && now.isOnItsWay;
      },
      everyMs: LOOK_INTERVAL_MS,
      signal: delivery.signal,
      onFault: (err) => this.deps.log.warn({ err, episodeId }, 'failed to read episode'),
    });
    const found = await inspectEpisode(this.deps, place.part);
    const name = `${place.baseName}.${found.format.replaceAll(/[^a-z0-9]/g, '')}`;
    await moved(place, name);
    return { ...found, path: `${place.folderName}/${name}` };
  }

  async #afterFault(
    fault: DownloadFault,
    job: DownloadJob,
    { episode, delivery }: { readonly episode: WantedEpisode; readonly delivery: JobDelivery },
  ): Promise<void> {
    const { attempt } = delivery;
    const isLast = attempt >= (fault.trouble === 'no-room' ? MAX_NO_ROOM_ATTEMPTS : MAX_DISTURBED_ATTEMPTS);
    if (fault.trouble !== 'refused') {
      if (fault.gainedBytes >= WORTH_GOING_ON_BYTES) throw new RetryLater(GO_ON_MS, fault.message);
      const pauseMs = fault.trouble === 'no-room' ? NO_ROOM_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
      if (!isLast) throw new AttemptFailed(pauseMs, fault.message, { cause: fault });
    }
    const reason = fault.message.slice(0, MAX_DOWNLOAD_REASON).toWellFormed();
    const { result } = await this.deps.commands.send(failEpisodeDownload, { ...job, reason }, delivery);
    this.deps.log.warn({ ...job, reason }, 'episode download failed');
    // Still wanted after this word is only what another worker has brought.
    await this.#clear(job, episode, { isKept: result.isWanted });
  }
}

/** True for a fault that a download has when its file or folder is taken away. */
const isAboutFiles = (error: unknown): boolean => error instanceof DownloadFault || GONE.has(errorCode(error));

/** Gives a file that is whole its name, durably. */
const moved = async ({ folder, part }: EpisodePath, name: string): Promise<void> => {
  try {
    await rename(part, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    throw fileFault(error, 'the file cannot be put where it belongs');
  }
};
