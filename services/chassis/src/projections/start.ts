import type { Running } from '../running.js';
import { migrate } from '../persistence/migrate.js';
import { CHASSIS_SCHEMA, chassisMigrations, checkpointsOf } from './checkpoints.js';
import { ensureReaderRole, grantCheckpointsToReaders } from './generations.js';
import { pause } from '../pause.js';
import type { Projection } from './projection.js';
import { LeaderLock } from './leader-lock.js';
import { nameLock, ProjectionRunner, versionLock, type ProjectionStatus, type RunnerContext } from './projection-runner.js';

/** Creates what every service of a database shares: the chassis' tables and the readers' role. Safe for several services at once. */
export const prepareChassisTables = async (db: RunnerContext['db']): Promise<void> => {
  await migrate(db, CHASSIS_SCHEMA, chassisMigrations);
  await ensureReaderRole(db);
  await grantCheckpointsToReaders(db);
};

/** The running projections of one service. */
export interface RunningProjections extends Running {
  status(): readonly ProjectionStatus[];
  /** Resolves when readers can select from every published view, empty or not; early when the projections are stopped. */
  published(): Promise<void>;
  /**
   * Resolves when readers see tables of this release, or when no older release keeps its own any more: before that, whatever this release writes might be something that the older one
   * has to stop at. Early when the projections are stopped.
   */
  takenOver(): Promise<void>;
}

const POLL_MS = 20;
const TAKE_OVER_POLL_MS = 200;

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
    takenOver: async () => {
      for (const projection of projections) {
        while (!stopping.signal.aborted && (await isKeptByOlder(context.db, projection))) await pause(TAKE_OVER_POLL_MS, stopping.signal);
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};

/** True when readers see tables of an older release that one of its replicas goes on filling. */
const isKeptByOlder = async (db: RunnerContext['db'], { name, version }: Projection): Promise<boolean> => {
  const live = (await checkpointsOf(db, name)).find((row) => row.state === 'live');
  if (!live || live.version >= version) return false;
  return (await LeaderLock.isHeld(db, versionLock(name, live.version))) || LeaderLock.isHeld(db, nameLock(name));
};

const isLive = async (db: RunnerContext['db'], name: string): Promise<boolean> =>
  (await checkpointsOf(db, name)).some((row) => row.state === 'live');
