import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { IngestionConfig } from '../config.js';
import { ScanSchedule } from '../schedule/scan-schedule.js';
import type { ScanTools } from '../scan/catalog-scan.js';
import type { ScanStart } from '../scan/scan-start.js';
import { startWholeScan } from './touched-scan.js';
import { WatchKeeper } from './watch-keeper.js';

/** Time between two looks at catalogs that are to be watched, and at the clock, ms. */
const LOOK_INTERVAL_MS = 5000;

/** Scans that nobody asks for: by the clock, and by what happens in folders. */
@Module({})
export class AutomaticScansModule {
  /** The module over what the chassis hands out and what scans work with; holds nothing where all of it is off. */
  static over(deps: ServiceDependencies<IngestionConfig>, tools: ScanTools & { readonly starts: ScanStart }): DynamicModule {
    const { config, log, now } = deps;
    const lockDb: Kysely<unknown> = deps.db;
    const starting = { starts: tools.starts, now };
    const keeper = new WatchKeeper({ ...tools, log, now, lockDb, quietMs: config.SCAN_WATCH_QUIET_MS, lookIntervalMs: LOOK_INTERVAL_MS });
    const schedule = new ScanSchedule({
      db: deps.db,
      log,
      expression: config.SCAN_SCHEDULE,
      timeZone: config.SCAN_SCHEDULE_ZONE,
      start: (catalogId) => startWholeScan(starting, catalogId, 'schedule'),
      lookIntervalMs: LOOK_INTERVAL_MS,
    });
    return {
      module: AutomaticScansModule,
      providers: [
        ...(config.SCAN_WATCH ? [{ provide: WatchKeeper, useValue: keeper }] : []),
        ...(config.SCAN_SCHEDULE === '' ? [] : [{ provide: ScanSchedule, useValue: schedule }]),
      ],
    };
  }
}
