import { HandlesEvents, HandlesJob, JOBS, type JobDelivery, type JobQueue, type RecordedOf } from '@continuo/chassis';
import {
  downloadEpisode,
  podcastDeleted,
  podcastDownloadsRequested,
  podcastEpisodeDeleted,
  podcastEpisodeDownloaded,
  podcastFilesRemoved,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { MAX_DOWNLOAD_ATTEMPTS, type DownloadJob, DownloadWorker } from './download-worker.js';
import { Downloads } from './downloads.js';
import type { DownloadReads } from './downloads.reads.js';
import { removeEpisode, removeKept, removePodcast } from './episode-path.js';

/** Files that one replica fetches at the same time: their hosts are slow, and few. */
const AT_ONCE = 3;

/** Injection token of the {@link DownloadReads}. */
export const DOWNLOAD_READS = Symbol('DownloadReads');

/** Queues and fetches files of episodes, and takes away those that are given up. All of it follows the library's events, so that no crash leaves one out. */
@Controller()
export class DownloadsController {
  constructor(
    @Inject(JOBS) private readonly jobs: JobQueue,
    @Inject(DOWNLOAD_READS) private readonly reads: DownloadReads,
    @Inject(DownloadWorker) private readonly worker: DownloadWorker,
    @Inject(Downloads) private readonly downloads: Downloads,
  ) {}

  /** A job too many finds that nobody wants it. */
  @HandlesEvents('library', 'queue-downloads', [podcastDownloadsRequested], { startFrom: 'all', aggregates: ['podcast'] })
  async queue({ data, id }: RecordedOf<typeof podcastDownloadsRequested>, delivery: JobDelivery): Promise<void> {
    const { podcastId, downloads } = data;
    const context = { ...delivery, causationId: id };
    await Promise.all(
      downloads.map(({ episodeId, run }) =>
        this.jobs.enqueue(downloadEpisode, `${episodeId}.${run}`, { podcastId, episodeId, run }, context),
      ),
    );
  }

  @HandlesJob(downloadEpisode, { concurrency: AT_ONCE, ackWaitMs: 8000, maxAttempts: MAX_DOWNLOAD_ATTEMPTS })
  fetch(job: DownloadJob, delivery: JobDelivery): Promise<void> {
    return this.worker.run(job, delivery);
  }

  /** A file that has come may be one too many. */
  @HandlesEvents('library', 'prune-episodes', [podcastEpisodeDownloaded], { aggregates: ['podcast'] })
  prune({ data, position }: RecordedOf<typeof podcastEpisodeDownloaded>, delivery: JobDelivery): Promise<void> {
    return this.downloads.prune(data.podcastId, [{ stream: 'EV_LIBRARY', position }], delivery);
  }

  /** Files go after the log says so, never before; of a catalog that is gone they stay. */
  @HandlesEvents('library', 'remove-episode-files', [podcastFilesRemoved, podcastEpisodeDeleted, podcastDeleted], {
    aggregates: ['podcast'],
  })
  async remove(
    event: RecordedOf<typeof podcastFilesRemoved> | RecordedOf<typeof podcastEpisodeDeleted> | RecordedOf<typeof podcastDeleted>,
  ): Promise<void> {
    const root = await this.reads.catalogPath(event.data.catalogId);
    if (root === undefined) return;
    switch (event.type) {
      case 'PodcastDeleted':
        return removePodcast(root, event.data.podcastId);
      case 'PodcastEpisodeDeleted':
        return removeEpisode(root, event.data.podcastId, event.data.episodeId);
      case 'PodcastFilesRemoved':
        for (const { path } of event.data.files) await removeKept(root, path);
    }
  }
}
