import type { ServiceDefinition } from '@continuo/chassis';
import { analyseSounds } from '@continuo/contracts';
import { slotsOf, sonicConfig, type SonicConfig } from './config.js';
import { RunClock } from './run/run-clock.js';
import { runsProjection } from './run/runs.projection.js';
import { songsProjection } from './song/songs.projection.js';
import { SonicModule } from './sonic.module.js';
import { sonicParts } from './sonic-parts.js';

const MINUTE_MS = 60_000;

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
  jobOptions: async (deps) => {
    const { analyser } = await sonicParts(deps);
    // A worker that analyses nothing leaves the work to the others.
    return { [analyseSounds.subject]: { concurrency: analyser ? slotsOf(deps.config) : 0 } };
  },
  module: (deps) => SonicModule.over(deps),
  start: async (deps) => {
    const parts = await sonicParts(deps);
    const clock = new RunClock({ ...parts, pauseMs: deps.config.SONIC_LOOK_MINUTES * MINUTE_MS });
    parts.local?.start();
    clock.start();
    return {
      parts: () => ({ ...parts.states(), sounds: parts.problem ?? `${parts.sounds?.size ?? 0} in memory` }),
      // What handlers work with ends with them, once they have let go of their songs.
      stop: () => clock.stop(),
    };
  },
};
