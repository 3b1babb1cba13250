import type { ServiceDefinition } from '@continuo/chassis';
import { pluginMigrations } from '@continuo/plugins';
import { ingestionConfig, type IngestionConfig } from './config.js';
import { IngestionModule } from './ingestion.module.js';
import { ingestionMigrations } from './scan/ingestion-tables.js';
import { playlistFilesProjection } from './playlist/playlist-files.projection.js';
import { scanProjection } from './scan/scan.projection.js';

/** The ingestion service: scans catalogs. Owns the stream `EV_INGEST`, the work queue `JOBS_INGEST` and the schema `ingestion`. */
export const ingestionService: ServiceDefinition<IngestionConfig> = {
  name: 'ingestion',
  config: ingestionConfig,
  contexts: ['ingest'],
  jobContexts: ['ingest'],
  schema: 'ingestion',
  migrations: [...ingestionMigrations, ...pluginMigrations],
  projections: () => [scanProjection, playlistFilesProjection],
  module: IngestionModule,
};
