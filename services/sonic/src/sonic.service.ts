import type { ServiceDefinition } from '@continuo/chassis';
import { sonicConfig, type SonicConfig } from './config.js';
import { runsProjection } from './run/runs.projection.js';
import { songsProjection } from './song/songs.projection.js';
import { SonicModule } from './sonic.module.js';

/**
 * The sonic service: finds out what songs sound like, by a plug-in, and which of them sound alike. It owns the stream `EV_SONIC`, the work queue `JOBS_SONIC` and the schema
 * `sonic`. Without a sonic plug-in it refuses every question and does nothing.
 */
export const sonicService: ServiceDefinition<SonicConfig> = {
  name: 'sonic',
  config: sonicConfig,
  contexts: ['sonic'],
  jobContexts: ['sonic'],
  schema: 'sonic',
  projections: () => [songsProjection, runsProjection],
  module: SonicModule,
};
