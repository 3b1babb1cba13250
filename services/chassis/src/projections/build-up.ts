import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import { streamState } from '../event-store/streams.js';
import type { Checkpoint } from './checkpoints.js';
import { swapViews, unlessBusy, whileLiveStands } from './generations.js';
import type { Projection } from './projection.js';
import type { ProjectionWorker } from './projection-worker.js';

/** So few events may be left when the live tables are held still: they take a moment. */
const NEAR_EVENTS = 200;

/** What filling a generation beside the live one needs. */
export interface Building {
  readonly db: Kysely<unknown>;
  readonly manager: JetStreamManager;
  readonly signal: AbortSignal;
  readonly projection: Projection;
  readonly worker: ProjectionWorker;
}

/** Fills a generation until only a few events are left, however many come meanwhile. Returns early when the signal fires. */
export const catchUp = async ({ manager, signal, projection, worker }: Building): Promise<void> => {
  while (!signal.aborted) {
    const { lastPosition } = await streamState(manager, eventStreams[projection.context]);
    if (lastPosition - worker.checkpoint.position <= NEAR_EVENTS) return;
    await worker.run(signal, lastPosition);
  }
};

/**
 * Where a generation has to be so that readers lose nothing by seeing it in place of the live one. Live tables of another life of the log, or beyond its end, are nothing to
 * be measured by.
 */
export const positionToReach = async ({ manager, projection }: Building, live: Checkpoint | undefined): Promise<number> => {
  const { epoch, lastPosition } = await streamState(manager, eventStreams[projection.context]);
  return live?.epoch === epoch ? Math.min(live.position, lastPosition) : lastPosition;
};

/**
 * Puts a generation in place of the live one, at a position that is not before what readers have seen. The owner of the live one may be an older release in another process: it commits
 * nothing meanwhile, and finds itself out of office afterwards.
 * @throws whatever the signal was fired with, when it fires before the end
 */
export const putInPlace = (building: Building): Promise<void> => {
  const { db, signal, projection, worker } = building;
  return unlessBusy(signal, async () => {
    await catchUp(building);
    await whileLiveStands(db, projection, async (tx, live) => {
      await worker.run(signal, await positionToReach(building, live));
      signal.throwIfAborted();
      await swapViews(tx, projection, worker.checkpoint);
    });
  });
};
