import type { Running } from '../service.js';
import { migrate } from '../persistence/migrate.js';
import { CHASSIS_SCHEMA, chassisMigrations } from './checkpoints.js';
import { ensureReaderRole } from './generations.js';
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
}

/** Starts the projections; {@link prepareChassisTables} must have run. */
export const startProjections = (projections: readonly Projection[], context: RunnerContext): RunningProjections => {
  const runners = projections.map((projection) => new ProjectionRunner(context, projection));
  for (const runner of runners) runner.start();
  return {
    status: () => runners.map((runner) => runner.status()),
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};
