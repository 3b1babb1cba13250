import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import { streamState } from '../event-store/streams.js';
import type { Checkpoint } from './checkpoints.js';
import { deriveFromRows, holdsRowsOnly, makeReaderIndexes, swapViews, retryWhileLocked, withLiveGenerationLocked } from './generations.js';
import type { Filling, Projection } from './projection.js';
import type { ProjectionWorker } from './projection-worker.js';

/** So few events may be left when the live tables are held still: they take a moment. */
const NEAR_EVENTS = 200;

/** Dependencies for filling a generation beside the live one. */
export interface GenerationBuild {
  readonly db: Kysely<unknown>;
  readonly manager: JetStreamManager;
  readonly signal: AbortSignal;
  readonly projection: Projection;
  readonly worker: ProjectionWorker;
}

/** Fills a generation until it is whole but for a few events, however many come meanwhile. Returns early when the signal fires. */
export const catchUp = async (building: GenerationBuild): Promise<void> => {
  const { db, projection, worker, signal } = building;
  if (await holdsRowsOnly(db, worker.checkpoint)) {
    await untilNear(building, projection.filling);
    if (signal.aborted) return;
    // Each works on other tables most of the time, or waits for the other's.
    const steps = await Promise.allSettled([
      deriveFromRows(db, projection, worker.checkpoint, signal),
      makeReaderIndexes(db, projection, worker.checkpoint, signal),
    ]);
    for (const step of steps) if (step.status === 'rejected') throw step.reason;
  } else {
    await untilNear(building);
    await makeReaderIndexes(db, projection, worker.checkpoint, signal);
  }
  await untilNear(building);
};

const untilNear = async ({ manager, signal, projection, worker }: GenerationBuild, filling?: Filling): Promise<void> => {
  while (!signal.aborted) {
    const { lastReadable } = await streamState(manager, eventStreams[projection.context]);
    if (lastReadable - worker.checkpoint.position <= NEAR_EVENTS) return;
    await (filling ? worker.fill(signal, lastReadable, filling) : worker.run(signal, lastReadable));
  }
};

/**
 * Where a generation has to be so that readers lose nothing by seeing it in place of the live one. Live tables of another incarnation of the log, or beyond its end, are nothing to
 * be measured by.
 */
export const positionToReach = async ({ manager, projection }: GenerationBuild, live: Checkpoint | undefined): Promise<number> => {
  const { epoch, lastReadable } = await streamState(manager, eventStreams[projection.context]);
  return live?.epoch === epoch ? Math.min(live.position, lastReadable) : lastReadable;
};

/**
 * Refuses to replace live tables that hold what the log has lost: they are ahead of it, or were filled from another incarnation of it. Where an operator has accepted that loss, nothing is refused.
 * @throws Error with a sentence for the operator
 */
const insistOnWholeLog = async ({ manager, projection }: GenerationBuild, live: Checkpoint | undefined): Promise<void> => {
  if (!live) return;
  const stream = eventStreams[projection.context];
  const { epoch, lastPosition, acceptedIncarnations } = await streamState(manager, stream);
  const isAhead = live.epoch === epoch && live.position > lastPosition;
  const isOfAnotherIncarnation = live.epoch !== epoch && !acceptedIncarnations.includes(live.epoch);
  if (!isAhead && !isOfAnotherIncarnation) return;
  throw new Error(
    `the live tables of ${projection.name} hold what ${stream} does not have any more (position ${live.position}, the log ends at ${lastPosition}); they are not replaced. ` +
      `Restore the matching log, or see "continuo log accept-loss ${stream}"`,
  );
};

/**
 * Puts a generation in place of the live one, at a position that is not before what readers have seen. The owner of the live one may be an older release in another process: it commits
 * nothing meanwhile, and finds that it has lost leadership afterwards.
 * @param mayReplace throws when the live tables have to stay
 * @throws whatever the signal was fired with, when it fires before the end
 */
export const putInPlace = (
  building: GenerationBuild,
  mayReplace: (live: Checkpoint | undefined) => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  const { db, signal, projection, worker } = building;
  return retryWhileLocked(signal, async () => {
    await catchUp(building);
    await withLiveGenerationLocked(db, projection, async (tx, live) => {
      await mayReplace(live);
      await worker.run(signal, await positionToReach(building, live));
      signal.throwIfAborted();
      await swapViews(tx, projection, worker.checkpoint);
    });
  });
};

/**
 * Puts tables of a newer version in place by itself, unless readers would lose what the log has lost.
 * @throws Error with a sentence for the operator when the live tables stay
 */
export const replaceOlder = (building: GenerationBuild): Promise<void> => putInPlace(building, (live) => insistOnWholeLog(building, live));
