import type { Running } from '../service.js';
import { migrate } from '../persistence/migrate.js';
import { CHASSIS_SCHEMA, chassisMigrations, checkpointsOf } from './checkpoints.js';
import { ensureReaderRole } from './generations.js';
import { pause } from './pause.js';
import type { Projection } from './projection.js';
import { ProjectionRunner, type ProjectionStatus, type RunnerContext } from './projection-runner.js';

/** Creates what every service of a database shares: the chassis' tables and the readers' role. Safe for several services at once. */
export const prepareChassisTables = async (db: RunnerContext['db']): Promise<void> => {
  await migrate(db, CHASSIS_SCHEMA, chassisMigrations);
  await ensureReaderRole(db);
};

/** The running projections of one service. */
export interface RunningProjections extends Running {
  status(): readonly ProjectionStatus[];
  /** Resolves when readers can select from every published view, empty or not; early when the projections are stopped. */
  published(): Promise<void>;
}

const POLL_MS = 20;

/** Starts the projections; {@link prepareChassisTables} must have run. */
export const startProjections = (projections: readonly Projection[], context: RunnerContext): RunningProjections => {
  const runners = projections.map((projection) => new ProjectionRunner(context, projection));
  const stopping = new AbortController();
  for (const runner of runners) runner.start();
  return {
    status: () => runners.map((runner) => runner.status()),
    published: async () => {
      for (const { name } of projections) {
        while (!stopping.signal.aborted && !(await isLive(context.db, name))) await pause(POLL_MS, stopping.signal);
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};

const isLive = async (db: RunnerContext['db'], name: string): Promise<boolean> =>
  (await checkpointsOf(db, name)).some((row) => row.state === 'live');
