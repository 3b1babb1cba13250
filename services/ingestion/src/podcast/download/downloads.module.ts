import type { OutboundClient, ProjectionWatch, ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { IngestionConfig } from '../../config.js';
import { DOWNLOAD_JOBS, DOWNLOAD_READS, DOWNLOAD_WORKER, DOWNLOADS } from '../../tokens.js';
import { readDownloadTerms } from './download-terms.reads.js';
import { DownloadWorker } from './download-worker.js';
import { DownloadsController } from './downloads.controller.js';
import { Downloads } from './downloads.js';
import { downloadReads } from './downloads.reads.js';
import type { DownloadLimits } from './fetch-episode.js';
import type { EpisodeReaders } from './inspect-episode.js';

type Dependencies = Pick<ServiceDependencies<IngestionConfig>, 'config' | 'db' | 'commands' | 'jobs' | 'log' | 'now'>;

/** What downloads share with the rest of the service. */
export interface SharedTools extends EpisodeReaders {
  readonly outbound: OutboundClient;
  readonly watch: ProjectionWatch;
}

/** The terms of downloads, kept. */
export const downloadsOver = ({ db, commands, now }: Dependencies, { watch }: Pick<SharedTools, 'watch'>): Downloads => {
  return new Downloads({ commands, watch, now, reads: downloadReads(db), terms: () => readDownloadTerms(db) });
};

const limitsOf = (config: IngestionConfig): DownloadLimits => ({
  maxBytes: config.PODCAST_MAX_EPISODE_BYTES,
  timeoutMs: config.PODCAST_DOWNLOAD_TIMEOUT_MS,
  stallMs: config.PODCAST_DOWNLOAD_STALL_MS,
  keepFreeBytes: config.PODCAST_KEEP_FREE_BYTES,
});

/** Downloads of episodes as a Nest module. */
@Module({})
export class DownloadsModule {
  /** The module over what the chassis hands out and what the service has already. */
  static over(deps: Dependencies, shared: SharedTools, downloads: Downloads): DynamicModule {
    const { commands, jobs, log, config } = deps;
    const reads = downloadReads(deps.db);
    return {
      module: DownloadsModule,
      controllers: [DownloadsController],
      providers: [
        { provide: DOWNLOAD_JOBS, useValue: jobs },
        { provide: DOWNLOAD_READS, useValue: reads },
        { provide: DOWNLOADS, useValue: downloads },
        { provide: DOWNLOAD_WORKER, useValue: new DownloadWorker({ ...shared, commands, reads, log, limits: limitsOf(config) }) },
      ],
    };
  }
}
