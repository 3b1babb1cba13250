import { SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import type { Provider } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';
import { SCAN_DEPENDENCIES, type SharedScanDependencies } from '../scan/scan.providers.js';
import { ScanStart } from '../scan/scan-start.js';
import { ScanSchedule } from '../schedule/scan-schedule.js';
import { CatalogWatcher } from './catalog-watcher.js';
import { startWholeScan } from './changed-paths-scan.js';

type Dependencies = ServiceDependencies<IngestionConfig>;

/** Time between two looks at catalogs that are to be watched, and at the clock, ms. */
const LOOK_INTERVAL_MS = 10_000;

const catalogWatcher = ({ config, log, now, db }: Dependencies, shared: SharedScanDependencies, starts: ScanStart): CatalogWatcher =>
  new CatalogWatcher({
    ...shared,
    starts,
    log,
    now,
    lockDb: db,
    isWatchedByDefault: config.SCAN_WATCH,
    quietMs: config.SCAN_WATCH_QUIET_MS,
    lookIntervalMs: LOOK_INTERVAL_MS,
  });

const scanSchedule = ({ config, log, now, db }: Dependencies, starts: ScanStart): ScanSchedule =>
  new ScanSchedule({
    db,
    log,
    defaultExpression: config.SCAN_SCHEDULE,
    timeZone: config.SCAN_SCHEDULE_ZONE,
    start: (catalogId) => startWholeScan({ starts, now }, catalogId, 'schedule'),
    lookIntervalMs: LOOK_INTERVAL_MS,
  });

/** Providers of scans that nobody asks for: by the clock, and by what happens in folders. */
export const automaticScanProviders: Provider[] = [
  { provide: CatalogWatcher, useFactory: catalogWatcher, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, ScanStart] },
  { provide: ScanSchedule, useFactory: scanSchedule, inject: [SERVICE_DEPENDENCIES, ScanStart] },
];
