import { checkedOutboundClient, DATABASE, SERVICE_DEPENDENCIES, type OutboundClient, type ServiceDependencies } from '@continuo/chassis';
import { Inject, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';
import { SCAN_DEPENDENCIES, type SharedScanDependencies } from '../scan/scan.providers.js';
import { readDownloadTerms } from './download/download-terms.reads.js';
import { DownloadWorker } from './download/download-worker.js';
import { DownloadedFileCheck } from './download/downloaded-file-check.js';
import { DOWNLOAD_READS } from './download/downloads.controller.js';
import { Downloads } from './download/downloads.js';
import { downloadReads, type DownloadReads } from './download/downloads.reads.js';
import type { DownloadLimits } from './download/fetch-episode.js';
import { PodcastPictures } from './podcast-pictures.js';
import { PodcastRefresh } from './podcast-refresh.js';
import { PodcastSchedule } from './podcast-schedule.js';
import { PodcastTimer } from './podcast-timer.js';
import { PodcastVisits } from './podcast-visits.js';
import { duePodcasts, pictureKeptFrom, podcastReads, podcastsAfter } from './podcasts.reads.js';

type Dependencies = ServiceDependencies<IngestionConfig>;

/** Injection token of the client that fetches feeds and episodes. */
const OUTBOUND = Symbol('OutboundClient');

const outboundClient = ({ config, metrics }: Dependencies): OutboundClient =>
  checkedOutboundClient({ allowed: config.OUTBOUND_ALLOWED_NETWORKS, counted: { metrics, purpose: 'podcasts' } });

/** Closes connections to feeds after the handlers. */
class PodcastConnections implements OnApplicationShutdown {
  constructor(@Inject(OUTBOUND) private readonly outbound: OutboundClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.outbound.close();
  }
}

/** Visits that nobody waits for. */
const refreshOf = ({ db, log }: Dependencies, visits: PodcastVisits): PodcastRefresh =>
  new PodcastRefresh({
    after: (id, catalogIds, count) => podcastsAfter(db, { id, catalogIds }, count),
    sync: (id, context) => visits.sync(id, context),
    log,
  });

const timerOf = (
  { config, db, commands, log, now }: Dependencies,
  visits: PodcastVisits,
  downloads: Downloads,
  reads: DownloadReads,
): PodcastTimer => {
  const intervalMs = config.PODCAST_SYNC_MINUTES * 60_000;
  const due = (beforeMs: number, count: number) => duePodcasts(db, beforeMs, count);
  const schedule = new PodcastSchedule({ due, sync: (id, context) => visits.sync(id, context), log, now, intervalMs });
  const keptFiles = new DownloadedFileCheck({ reads, commands, log });
  // Without an interval feeds are visited only when somebody asks.
  return new PodcastTimer([...(intervalMs > 0 ? [schedule] : []), downloads, keptFiles], log);
};

/** Visits to feeds, with what follows them: the picture, and the newest episodes. */
const visitsOver = (deps: Dependencies, shared: SharedScanDependencies, outbound: OutboundClient, downloads: Downloads): PodcastVisits => {
  const { commands, config, log, now } = deps;
  const { db } = shared;
  const afterVisit = async (...visit: Parameters<Downloads['afterVisit']>): Promise<void> => {
    await downloads.afterVisit(...visit).catch((err: unknown) => log.error({ err }, 'failed to request downloads of newest episodes'));
  };
  const pictures = new PodcastPictures({
    outbound,
    commands,
    store: shared.art,
    keptFrom: (id) => pictureKeptFrom(db, id),
    limits: { maxBytes: config.SCAN_MAX_PICTURE_BYTES, maxPixels: config.SCAN_MAX_PICTURE_PIXELS },
    log,
    now,
  });
  const limits = { maxBytes: config.PODCAST_MAX_FEED_BYTES, timeoutMs: config.PODCAST_FEED_TIMEOUT_MS };
  return new PodcastVisits({
    outbound,
    commands,
    reads: podcastReads(db),
    limits,
    now,
    keepPicture: pictures.keep.bind(pictures),
    afterVisit,
  });
};

const limitsOf = (config: IngestionConfig): DownloadLimits => ({
  maxBytes: config.PODCAST_MAX_EPISODE_BYTES,
  timeoutMs: config.PODCAST_DOWNLOAD_TIMEOUT_MS,
  stallMs: config.PODCAST_DOWNLOAD_STALL_MS,
  keepFreeBytes: config.PODCAST_KEEP_FREE_BYTES,
});

const downloadsOf = ({ db, commands, now }: Dependencies, { watch }: SharedScanDependencies, reads: DownloadReads): Downloads =>
  new Downloads({ commands, watch, now, reads, terms: () => readDownloadTerms(db) });

const downloadWorker = (
  { commands, log, config }: Dependencies,
  { reader, videos, watch }: SharedScanDependencies,
  outbound: OutboundClient,
  reads: DownloadReads,
): DownloadWorker => new DownloadWorker({ reader, videos, watch, outbound, commands, reads, log, limits: limitsOf(config) });

/** Providers of podcasts and downloads of their episodes. */
export const podcastProviders: Provider[] = [
  PodcastConnections,
  { provide: OUTBOUND, useFactory: outboundClient, inject: [SERVICE_DEPENDENCIES] },
  { provide: DOWNLOAD_READS, useFactory: downloadReads, inject: [DATABASE] },
  { provide: Downloads, useFactory: downloadsOf, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, DOWNLOAD_READS] },
  { provide: DownloadWorker, useFactory: downloadWorker, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, OUTBOUND, DOWNLOAD_READS] },
  { provide: PodcastVisits, useFactory: visitsOver, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, OUTBOUND, Downloads] },
  { provide: PodcastRefresh, useFactory: refreshOf, inject: [SERVICE_DEPENDENCIES, PodcastVisits] },
  { provide: PodcastTimer, useFactory: timerOf, inject: [SERVICE_DEPENDENCIES, PodcastVisits, Downloads, DOWNLOAD_READS] },
];
