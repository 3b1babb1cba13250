import { checkpointReader, CONFIG, DATABASE, NatsProjectionWatch, SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import { openCatalogMedia, type ArtStore, type CatalogMedia } from '@continuo/media-store';
import type { ReadModel } from '@continuo/contracts';
import { Inject, type OnApplicationBootstrap, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { ART_STORE } from '../art-store.provider.js';
import { openCatalogFiles } from '../catalog-files/storage-files.js';
import type { IngestionConfig } from '../config.js';
import { CatalogMaintenance } from '../maintenance/catalog-maintenance.js';
import { PlaylistImport, type ImportingScan, type PlaylistImportSettings } from '../playlist/playlist-import.js';
import { createTagPool } from '../tags/tag-pool.adapter.js';
import type { TagReader } from '../tags/tag-reader.js';
import { FfprobeReader } from '../video/ffprobe.adapter.js';
import { pictureNames } from './picture-names.js';
import { ScanLeases } from './scan-lease.js';
import { ScanMetrics } from './scan-metrics.js';
import { ScanStart } from './scan-start.js';
import { ScanWorker } from './scan-worker.js';
import { ScanHelper } from './sharing/scan-helper.js';

type Dependencies = ServiceDependencies<IngestionConfig>;

/** Injection token of the {@link CatalogMedia}. */
const CATALOG_MEDIA = Symbol('CatalogMedia');
/** Injection token of the {@link SharedScanDependencies}. */
export const SCAN_DEPENDENCIES = Symbol('SharedScanDependencies');

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

/** Dependencies of scans, maintenance and uploads. */
const scanDependencies = (deps: Dependencies, media: CatalogMedia, art: ArtStore) => {
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
    art,
    foldersInFlight: config.SCAN_FOLDERS_IN_FLIGHT,
    pictureNames: pictureNames(config.SCAN_PICTURE_NAMES),
    artistPictureNames: pictureNames(config.SCAN_ARTIST_PICTURE_NAMES),
    playlists: (scan: ImportingScan) =>
      new PlaylistImport({ db: readModel, commands, aggregates, watch, now, settings: playlistSettings(config) }, scan),
  };
};
/** Dependencies that scans, maintenance, uploads and podcasts have in common. */
export type SharedScanDependencies = ReturnType<typeof scanDependencies>;

/** Helps the scans of other workers while the service runs. */
class ScanHelp implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(ScanHelper) private readonly helper: ScanHelper,
    @Inject(CONFIG) private readonly config: IngestionConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.SCAN_HELP_OTHERS) this.helper.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.helper.stop();
  }
}

/** Ends the reader's threads, the watch and the connections to storage, after the handlers. */
class ScanResources implements OnApplicationShutdown {
  constructor(
    @Inject(SCAN_DEPENDENCIES) private readonly shared: SharedScanDependencies,
    @Inject(CATALOG_MEDIA) private readonly media: CatalogMedia,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.shared.reader.close(), this.shared.watch.stop(), this.media.close(), this.shared.art.close()]);
  }
}

const scanWorker = (
  { nats, log, now, aggregates, metrics, config }: Dependencies,
  shared: SharedScanDependencies,
  helper: ScanHelper,
  leases: ScanLeases,
): ScanWorker =>
  new ScanWorker({
    ...shared,
    sharing: { nats, log },
    helper,
    aggregates,
    leases,
    log,
    now,
    progressIntervalMs: config.SCAN_PROGRESS_INTERVAL_MS,
    metrics: new ScanMetrics(metrics.registry),
  });

/** Providers of scans and of maintenance. */
export const scanProviders: Provider[] = [
  ScanHelp,
  ScanResources,
  { provide: CATALOG_MEDIA, useFactory: openCatalogMedia, inject: [SERVICE_DEPENDENCIES] },
  { provide: SCAN_DEPENDENCIES, useFactory: scanDependencies, inject: [SERVICE_DEPENDENCIES, CATALOG_MEDIA, ART_STORE] },
  { provide: ScanLeases, useFactory: (db: Dependencies['db']) => new ScanLeases(db), inject: [DATABASE] },
  {
    provide: ScanHelper,
    useFactory: ({ nats, log }: Dependencies, shared: SharedScanDependencies) => new ScanHelper({ ...shared, nats, log }),
    inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES],
  },
  {
    provide: ScanStart,
    useFactory: ({ db, aggregates, jobs }: Dependencies, leases: ScanLeases) => new ScanStart({ db, aggregates, leases, jobs }),
    inject: [SERVICE_DEPENDENCIES, ScanLeases],
  },
  { provide: ScanWorker, useFactory: scanWorker, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, ScanHelper, ScanLeases] },
  {
    provide: CatalogMaintenance,
    useFactory: (shared: SharedScanDependencies, { DELETE_FROM_DISK }: IngestionConfig) =>
      new CatalogMaintenance({ ...shared, deletesFromDisk: DELETE_FROM_DISK }),
    inject: [SCAN_DEPENDENCIES, CONFIG],
  },
];
