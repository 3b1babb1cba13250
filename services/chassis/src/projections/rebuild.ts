import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import { streamState } from '../event-store/streams.js';
import { takeOver, type Checkpoint } from './checkpoints.js';
import { beginRebuild, dropGeneration, promote } from './generations.js';
import { pause } from './pause.js';
import type { Projection } from './projection.js';
import { ProjectionWorker, tableDigests, type WorkerContext } from './projection-worker.js';

/** Subject on which the owner of a projection answers rebuild requests. */
export const rebuildSubject = (projection: string): string => `projections.rebuild.${projection}`;

/** What an operator asks of a rebuild: only compare a fresh generation with the live one, or also put it in place. */
export interface RebuildRequest {
  readonly mode: 'verify' | 'replace';
}

/** How a rebuild ended. `differing` names published tables whose rows differ from the live ones at the same position. */
export interface RebuildReport {
  readonly projection: string;
  readonly position: number;
  readonly durationMs: number;
  /** False when there were no live tables in order to compare with; `differing` is empty then. */
  readonly compared: boolean;
  readonly differing: readonly string[];
  readonly digests: Readonly<Record<string, string>>;
}

/** What a rebuild needs to know of the live generation and its owner. */
export interface RebuildSurroundings extends WorkerContext {
  readonly manager: JetStreamManager;
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Where the live generation stands; undefined when none is running. */
  readonly live: () => Checkpoint | undefined;
  /** Runs a step while the live generation commits nothing. */
  readonly whileLiveHolds: <T>(step: () => Promise<T>) => Promise<T>;
}

/**
 * Fills a fresh generation from the first event, brings it to exactly the live one's position, compares their tables, then puts it in place
 * or drops it. Readers see the live tables all the while.
 */
export const rebuild = async (around: RebuildSurroundings, projection: Projection, request: RebuildRequest): Promise<RebuildReport> => {
  const started = Date.now();
  const { db, manager, signal } = around;
  const { epoch, lastPosition } = await streamState(manager, eventStreams[projection.context]);
  const fresh = await takeOver(db, await beginRebuild(db, projection, epoch), around.owner);
  const builder = new ProjectionWorker({ db, nats: around.nats, metrics: around.metrics }, projection, fresh);
  try {
    await builder.run(signal, lastPosition);
    await liveReached(around, lastPosition);
    return await around.whileLiveHolds(async () => {
      const live = around.live();
      await builder.run(signal, live?.position ?? lastPosition);
      signal.throwIfAborted();
      const digests = await tableDigests(db, projection, builder.checkpoint.physicalSchema);
      const before = live && (await tableDigests(db, projection, live.physicalSchema));
      if (request.mode === 'replace') await promote(db, projection, builder.checkpoint);
      else await dropGeneration(db, builder.checkpoint);
      const differing = before ? projection.publishes.filter((table) => before[table] !== digests[table]) : [];
      return {
        projection: projection.name,
        position: builder.checkpoint.position,
        durationMs: Date.now() - started,
        compared: before !== undefined,
        differing,
        digests,
      };
    });
  } catch (error) {
    await dropGeneration(db, builder.checkpoint);
    throw error;
  }
};

const liveReached = async (around: RebuildSurroundings, position: number): Promise<void> => {
  for (let live = around.live(); live && live.position < position; live = around.live()) {
    await pause(20, around.signal);
    around.signal.throwIfAborted();
  }
};
