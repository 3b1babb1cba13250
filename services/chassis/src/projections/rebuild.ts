import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import { streamState } from '../event-store/streams.js';
import { sql, type Kysely } from 'kysely';
import { takeOver, type Checkpoint } from './checkpoints.js';
import { catchUp, positionToReach, putInPlace, type Building } from './build-up.js';
import { beginRebuild, dropGeneration, whileLiveStands } from './generations.js';
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
}

/**
 * Fills a fresh generation from the first event, compares its tables with the live ones as they were at one position, then puts it in place or drops it. Readers see the live tables all
 * the while, and these go on: they are held for two moments, in which a few events are caught up with.
 */
export const rebuild = async (around: RebuildSurroundings, projection: Projection, request: RebuildRequest): Promise<RebuildReport> => {
  const started = Date.now();
  const { db, manager, signal, nats, metrics } = around;
  const { epoch } = await streamState(manager, eventStreams[projection.context]);
  const fresh = await takeOver(db, await beginRebuild(db, projection, epoch), around.owner);
  const worker = new ProjectionWorker({ db, nats, metrics }, projection, fresh);
  const building = { db, manager, signal, projection, worker };
  try {
    await catchUp(building);
    signal.throwIfAborted();
    const comparison = await compare(around, building);
    if (request.mode === 'replace') await putInPlace(building);
    else await dropGeneration(db, worker.checkpoint);
    return { projection: projection.name, durationMs: Date.now() - started, ...comparison };
  } catch (error) {
    await dropGeneration(db, worker.checkpoint);
    throw error;
  } finally {
    metrics.projectionLag.forget(projection.name, 'building');
  }
};

type Comparison = Pick<RebuildReport, 'position' | 'compared' | 'differing' | 'digests'>;

/** Tables are hashed in a snapshot: hashing millions of rows takes longer than anybody should wait for the live ones. */
const compare = async (around: RebuildSurroundings, building: Building): Promise<Comparison> => {
  const { db, projection, worker } = building;
  const schema = worker.checkpoint.physicalSchema;
  if (!around.live()) {
    const { position } = worker.checkpoint;
    return { position, compared: false, differing: [], digests: await tableDigests(db, projection, schema) };
  }
  await liveReached(around, worker.checkpoint.position);
  const asOf = await whileLiveStands(db, projection, async (_, live) => {
    await worker.run(around.signal, await positionToReach(building, live));
    around.signal.throwIfAborted();
    const { position } = worker.checkpoint;
    const same = live?.position === position ? live.physicalSchema : undefined;
    // An object, so that this waits for the snapshot and not for what is done in it.
    return { position, digests: await inSnapshot(db, (tx) => digestsOf(tx, projection, [schema, same])) };
  });
  const [digests = {}, before] = await asOf.digests.result;
  const differing = before ? projection.publishes.filter((table) => before[table] !== digests[table]) : [];
  return { position: asOf.position, compared: before !== undefined, differing, digests };
};

const digestsOf = async (
  tx: Kysely<unknown>,
  projection: Projection,
  schemas: readonly (string | undefined)[],
): Promise<Record<string, string>[]> => {
  const digests: Record<string, string>[] = [];
  for (const schema of schemas) if (schema !== undefined) digests.push(await tableDigests(tx, projection, schema));
  return digests;
};

/** Begins work that sees the database as it is now; resolves as soon as it is sure to. */
const inSnapshot = async <T>(db: Kysely<unknown>, work: (tx: Kysely<unknown>) => Promise<T>): Promise<{ readonly result: Promise<T> }> => {
  const taken = Promise.withResolvers<void>();
  const result = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select 1`.execute(tx);
      taken.resolve();
      return work(tx);
    });
  result.catch(taken.reject);
  await taken.promise;
  return { result };
};

const liveReached = async (around: RebuildSurroundings, position: number): Promise<void> => {
  for (let live = around.live(); live && live.position < position; live = around.live()) {
    await pause(20, around.signal);
    around.signal.throwIfAborted();
  }
};
