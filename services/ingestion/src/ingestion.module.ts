import { join } from 'node:path';
import {
  checkedOutboundClient,
  checkpointReader,
  LocalArtStore,
  NatsProjectionWatch,
  openCatalogMedia,
  type CatalogMedia,
  type OutboundClient,
  type ServiceDependencies,
} from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';
import { Module, type DynamicModule, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { IngestionConfig } from './config.js';
import { CatalogMaintenance } from './maintenance/catalog-maintenance.js';
import { MaintenanceController } from './maintenance/maintenance.controller.js';
import { openCatalogFiles } from './place/place-files.js';
import { MetadataModule } from './metadata/metadata.module.js';
import { PlaylistImport, type ImportingScan, type PlaylistImportSettings } from './playlist/playlist-import.js';
import { downloadsOver, DownloadsModule } from './podcast/download/downloads.module.js';
import type { Downloads } from './podcast/download/downloads.js';
import { downloadReads } from './podcast/download/downloads.reads.js';
import { KeptFiles } from './podcast/download/kept-files.js';
import { PodcastClock } from './podcast/podcast-clock.js';
import { PodcastController } from './podcast/podcast.controller.js';
import { PodcastPictures } from './podcast/podcast-pictures.js';
import { PodcastRefresh } from './podcast/podcast-refresh.js';
import { PodcastSchedule } from './podcast/podcast-schedule.js';
import { PodcastVisits } from './podcast/podcast-visits.js';
import { duePodcasts, pictureKeptFrom, podcastReads, podcastsAfter } from './podcast/podcasts.reads.js';
import { ScanController } from './scan/scan.controller.js';
import { pictureNames } from './scan/picture-names.js';
import { TagWritingModule } from './tag-writing/tag-writing.module.js';
import { ScanLeases } from './scan/scan-lease.js';
import { ScanStart } from './scan/scan-start.js';
import { ScanMetrics } from './scan/scan-metrics.js';
import { ScanWorker } from './scan/scan-worker.js';
import { ScanHelper } from './scan/sharing/scan-helper.js';
import { createTagPool } from './tags/tag-pool.adapter.js';
import type { TagReader } from './tags/tag-reader.js';
import { FfprobeReader } from './video/ffprobe.adapter.js';
import {
  AGGREGATES,
  MAINTENANCE,
  PODCAST_REFRESH,
  PODCAST_VISITS,
  SCAN_LEASES,
  SCAN_START,
  SCAN_WORKER,
  UPLOAD_INTAKE,
  PATTERN_FILING,
} from './tokens.js';
import { ffmpegTagWriter } from './upload/tag-writer.js';
import { PatternFiling } from './upload/pattern-filing.js';
import { UploadIntake } from './upload/upload-intake.js';
import { scanTouched } from './watch/touched-scan.js';
import { UploadController } from './upload/upload.controller.js';
import { AutomaticScansModule } from './watch/automatic-scans.module.js';

/** Helps the scans of other workers while the service runs. */
class HelpingLifetime implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly helper: ScanHelper | undefined) {}

  onApplicationBootstrap(): void {
    this.helper?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.helper?.stop();
  }
}

/** Ends the reader's threads, the watch and the connections to feeds with the application. */
class Lifetimes implements OnApplicationShutdown {
  constructor(
    private readonly reader: TagReader,
    private readonly watch: NatsProjectionWatch,
    private readonly outbound: OutboundClient,
    private readonly media: CatalogMedia,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reader.close(), this.watch.stop(), this.outbound.close(), this.media.close()]);
  }
}

const readerFrom = (config: IngestionConfig): TagReader =>
  createTagPool({
    threads: config.SCAN_TAG_THREADS,
    inFlightPerThread: config.SCAN_FILES_PER_THREAD,
    parseTimeoutMs: config.SCAN_PARSE_TIMEOUT_MS,
    maxPictureBytes: config.SCAN_MAX_PICTURE_BYTES,
    maxPicturePixels: config.SCAN_MAX_PICTURE_PIXELS,
    rules: { artistSeparators: config.TAG_ARTIST_SEPARATORS, genreSeparators: config.TAG_GENRE_SEPARATORS, encoding: config.TAG_ENCODING },
  });

const playlistSettings = (config: IngestionConfig): PlaylistImportSettings => ({
  isOn: config.SCAN_PLAYLISTS,
  owner: config.SCAN_PLAYLISTS_OWNER,
  isPublic: config.SCAN_PLAYLISTS_PUBLIC,
});

/** Visits that nobody waits for. */
const refreshOf = ({ db, log }: ServiceDependencies<IngestionConfig>, visits: PodcastVisits): PodcastRefresh =>
  new PodcastRefresh({
    after: (id, catalogIds, count) => podcastsAfter(db, { id, catalogIds }, count),
    sync: (id, context) => visits.sync(id, context),
    log,
  });

const clockOf = (
  { config, db, commands, log, now }: ServiceDependencies<IngestionConfig>,
  visits: PodcastVisits,
  downloads: Downloads,
): PodcastClock => {
  const intervalMs = config.PODCAST_SYNC_MINUTES * 60_000;
  const due = (beforeMs: number, count: number) => duePodcasts(db, beforeMs, count);
  const schedule = new PodcastSchedule({ due, sync: (id, context) => visits.sync(id, context), log, now, intervalMs });
  const keptFiles = new KeptFiles({ reads: downloadReads(db), commands, log });
  // Without an interval feeds are visited only when somebody asks.
  return new PodcastClock([...(intervalMs > 0 ? [schedule] : []), downloads, keptFiles], log);
};

/** What scans, maintenance and uploads work with. */
const scanTools = (deps: ServiceDependencies<IngestionConfig>, media: CatalogMedia) => {
  const { aggregates, commands, config, log, now } = deps;
  const readModel = deps.db as Kysely<ReadModel>;
  const watch = new NatsProjectionWatch(deps.nats, checkpointReader(deps.db), log);
  return {
    db: readModel,
    commands,
    openFiles: openCatalogFiles({
      ...media,
      pictures: { maxPictureBytes: config.SCAN_MAX_PICTURE_BYTES, maxPicturePixels: config.SCAN_MAX_PICTURE_PIXELS },
    }),
    reader: readerFrom(config),
    videos: new FfprobeReader({ program: config.FFPROBE_PATH, atOnce: config.SCAN_TAG_THREADS, timeoutMs: config.SCAN_PARSE_TIMEOUT_MS }),
    watch,
    art: new LocalArtStore(join(config.CONTINUO_DATA, 'art')),
    foldersInFlight: config.SCAN_FOLDERS_IN_FLIGHT,
    pictureNames: pictureNames(config.SCAN_PICTURE_NAMES),
    artistPictureNames: pictureNames(config.SCAN_ARTIST_PICTURE_NAMES),
    playlists: (scan: ImportingScan) =>
      new PlaylistImport({ db: readModel, commands, aggregates, watch, now, settings: playlistSettings(config) }, scan),
  };
};
type ScanTools = ReturnType<typeof scanTools>;

/** Visits to feeds, with what follows them: the picture, and the newest episodes. */
const visitsOver = (
  deps: ServiceDependencies<IngestionConfig>,
  tools: ScanTools,
  outbound: OutboundClient,
  downloads: Downloads,
): PodcastVisits => {
  const { commands, config, log, now } = deps;
  const { db } = tools;
  const afterVisit = async (...visit: Parameters<Downloads['afterVisit']>): Promise<void> => {
    await downloads
      .afterVisit(...visit)
      .catch((err: unknown) => log.error({ err }, 'the newest episodes of a podcast cannot be asked for'));
  };
  const pictures = new PodcastPictures({
    outbound,
    commands,
    store: tools.art,
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

/** Uploads, and the filing of what they bring. */
const uploadParts = (deps: ServiceDependencies<IngestionConfig>, tools: ScanTools, starts: ScanStart, maintenance: CatalogMaintenance) => {
  const { config, log, now } = deps;
  const { db, reader } = tools;
  const writeTags = ffmpegTagWriter(config.FFMPEG_PATH, config.SCAN_PARSE_TIMEOUT_MS);
  const touchedTools = { ...tools, starts, log, now };
  return {
    intake: new UploadIntake({ db, reader, writeTags, maintenance, now }),
    filing: new PatternFiling({ db, reader, scan: (id, touched) => scanTouched(touchedTools, id, touched) }),
  };
};

/** Scans as a Nest module. */
@Module({})
export class IngestionModule {
  /** The module over what the chassis hands out; chooses the adapters. */
  static over(deps: ServiceDependencies<IngestionConfig>): DynamicModule {
    const { aggregates, jobs, config, log, now } = deps;
    const leases = new ScanLeases(deps.db);
    const media = openCatalogMedia({ db: deps.db, sealer: deps.sealer, secrets: deps.secrets, metrics: deps.metrics, config });
    const tools = scanTools(deps, media);
    const { reader, watch } = tools;
    const helper = new ScanHelper({ ...tools, nats: deps.nats, log });
    const starts = new ScanStart({ db: tools.db, aggregates, leases, jobs });
    const sharing = { nats: deps.nats, log };
    const progressIntervalMs = config.SCAN_PROGRESS_INTERVAL_MS;
    const metrics = new ScanMetrics(deps.metrics.registry);
    const worker = new ScanWorker({ ...tools, sharing, helper, aggregates, leases, log, now, progressIntervalMs, metrics });
    const maintenance = new CatalogMaintenance({ ...tools, deletesFromDisk: config.DELETE_FROM_DISK });
    const { intake, filing } = uploadParts(deps, tools, starts, maintenance);
    const outbound = checkedOutboundClient({
      allowed: config.OUTBOUND_ALLOWED_NETWORKS,
      counted: { metrics: deps.metrics, purpose: 'podcasts' },
    });
    const downloads = downloadsOver(deps, { watch });
    const visits = visitsOver(deps, tools, outbound, downloads);
    return {
      module: IngestionModule,
      imports: [
        AutomaticScansModule.over(deps, { ...tools, starts }),
        MetadataModule.over(deps),
        TagWritingModule.over(deps, maintenance),
        DownloadsModule.over(deps, { reader, videos: tools.videos, outbound, watch }, downloads),
      ],
      controllers: [ScanController, MaintenanceController, UploadController, PodcastController],
      providers: [
        { provide: AGGREGATES, useValue: aggregates },
        { provide: SCAN_LEASES, useValue: leases },
        { provide: SCAN_START, useValue: starts },
        { provide: SCAN_WORKER, useValue: worker },
        { provide: MAINTENANCE, useValue: maintenance },
        { provide: UPLOAD_INTAKE, useValue: intake },
        { provide: PATTERN_FILING, useValue: filing },
        { provide: PODCAST_VISITS, useValue: visits },
        { provide: PODCAST_REFRESH, useValue: refreshOf(deps, visits) },
        { provide: PodcastClock, useValue: clockOf(deps, visits, downloads) },
        { provide: HelpingLifetime, useValue: new HelpingLifetime(config.SCAN_HELP_OTHERS ? helper : undefined) },
        { provide: Lifetimes, useValue: new Lifetimes(reader, watch, outbound, media) },
      ],
    };
  }
}
