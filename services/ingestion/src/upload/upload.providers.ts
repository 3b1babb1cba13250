import { SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import type { Provider } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';
import { CatalogMaintenance } from '../maintenance/catalog-maintenance.js';
import { SCAN_DEPENDENCIES, type SharedScanDependencies } from '../scan/scan.providers.js';
import { ScanStart } from '../scan/scan-start.js';
import { scanChangedPaths } from '../watch/changed-paths-scan.js';
import { PatternFiling } from './pattern-filing.js';
import { ffmpegTagWriter } from './tag-writer.js';
import { UploadIntake } from './upload-intake.js';

type Dependencies = ServiceDependencies<IngestionConfig>;

const uploadIntake = (
  { config, now }: Dependencies,
  { db, reader }: SharedScanDependencies,
  maintenance: CatalogMaintenance,
): UploadIntake =>
  new UploadIntake({ db, reader, writeTags: ffmpegTagWriter(config.FFMPEG_PATH, config.SCAN_PARSE_TIMEOUT_MS), maintenance, now });

const patternFiling = ({ log, now }: Dependencies, shared: SharedScanDependencies, starts: ScanStart): PatternFiling => {
  const { db, reader } = shared;
  return new PatternFiling({ db, reader, scan: (id, touched) => scanChangedPaths({ ...shared, starts, log, now }, id, touched) });
};

/** Providers of uploads and of the filing by patterns. */
export const uploadProviders: Provider[] = [
  { provide: UploadIntake, useFactory: uploadIntake, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, CatalogMaintenance] },
  { provide: PatternFiling, useFactory: patternFiling, inject: [SERVICE_DEPENDENCIES, SCAN_DEPENDENCIES, ScanStart] },
];
