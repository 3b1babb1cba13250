import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import { streamState } from '../event-store/streams.js';
import { sql, type Kysely } from 'kysely';
import { checkpointsOf, takeOverCheckpoint, type Checkpoint } from './checkpoints.js';
import { catchUp, positionToReach, putInPlace, type GenerationBuild } from './build-up.js';
import { beginRebuild, dropGeneration, withLiveGenerationLocked } from './generations.js';
import { lostRows, tableRows, WouldLoseRows, type LostRows } from './lost-rows.js';
import { pause } from '../pause.js';
import type { Projection } from './projection.js';
import { ProjectionWorker, tableDigests, type WorkerContext } from './projection-worker.js';

/** Subject on which the owner of a projection answers rebuild requests. */
export const rebuildSubject = (projection: string): string => `projections.rebuild.${projection}`;

/** Request for a rebuild: only compare a fresh generation with the live one, or also put it in place. */
export interface RebuildRequest {
  readonly mode: 'verify' | 'replace';
  /** Set by an operator who wants the fresh tables although some have fewer rows than readers see now. */
  readonly acceptLoss?: boolean;
}

/** Result of a rebuild. `differing` names published tables whose rows differ from the live ones at the same position. */
export interface RebuildReport {
  readonly projection: string;
  readonly position: number;
  readonly durationMs: number;
  /** Until the tables were whole, before they were compared. */
  readonly builtMs: number;
  /** False when there were no live tables in order to compare with; `differing` is empty then. */
  readonly compared: boolean;
  readonly differing: readonly string[];
  readonly digests: Readonly<Record<string, string>>;
  /** Published tables that have fewer rows than the live ones. */
  readonly lost: readonly LostRows[];
}

/** Dependencies of a rebuild: the live generation and its owner. */
export interface RebuildContext extends WorkerContext {
  readonly manager: JetStreamManager;
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Checkpoint of the live generation; undefined when none is running. */
  readonly live: () => Checkpoint | undefined;
}

/**
 * Fills a fresh generation from the first event, compares its tables with the live ones as they were at one position, then puts it in place or drops it. It is dropped, too, when a table has
 * fewer rows than the live one and nobody has said that this is wanted. Readers see the live tables all
 * the while, and these go on: they are held for two moments, in which a few events are caught up with.
 */
export const rebuild = async (around: RebuildContext, projection: Projection, request: RebuildRequest): Promise<RebuildReport> => {
  const started = Date.now();
  const { db, manager, signal, nats, metrics } = around;
  const { epoch } = await streamState(manager, eventStreams[projection.context]);
  const fresh = await takeOverCheckpoint(db, await beginRebuild(db, projection, epoch), around.owner);
  const worker = new ProjectionWorker({ db, nats, metrics }, projection, fresh);
  const building = { db, manager, signal, projection, worker };
  try {
    await catchUp(building);
    signal.throwIfAborted();
    const builtMs = Date.now() - started;
    const comparison = await compare(around, building);
    if (request.mode === 'replace') {
      if (comparison.lost.length > 0 && request.acceptLoss !== true) throw new WouldLoseRows(projection.name, comparison.lost);
      await putInPlace(building);
    } else await dropGeneration(db, worker.checkpoint);
    return { projection: projection.name, durationMs: Date.now() - started, builtMs, ...comparison };
  } catch (error) {
    await dropGeneration(db, worker.checkpoint);
    throw error;
  } finally {
    metrics.projectionLag.forget(projection.name, 'building');
  }
};

type Comparison = Pick<RebuildReport, 'position' | 'compared' | 'differing' | 'digests' | 'lost'>;

/** Tables are hashed in a snapshot: hashing millions of rows takes longer than anybody should wait for the live ones. */
const compare = async (around: RebuildContext, building: GenerationBuild): Promise<Comparison> => {
  const { db, projection, worker } = building;
  const schema = worker.checkpoint.physicalSchema;
  if (!around.live()) {
    await worker.run(around.signal, await positionToReach(building, undefined));
    const { position } = worker.checkpoint;
    const digests = await tableDigests(db, projection, schema);
    return { position, compared: false, differing: [], digests, lost: await lostAgainstLive(db, projection, digests) };
  }
  await liveReached(around, worker.checkpoint.position);
  const asOf = await withLiveGenerationLocked(db, projection, async (_, live) => {
    await worker.run(around.signal, await positionToReach(building, live));
    around.signal.throwIfAborted();
    const { position } = worker.checkpoint;
    const same = live?.position === position ? live.physicalSchema : undefined;
    // An object, so that this waits for the snapshot and not for what is done in it.
    return { position, digests: await inSnapshot(db, (tx) => digestsOf(tx, projection, [schema, same])) };
  });
  const [digests = {}, before] = await asOf.digests.result;
  const differing = before ? projection.publishes.filter((table) => before[table] !== digests[table]) : [];
  const lost = before ? lostRows(rowsIn(before), rowsIn(digests)) : await lostAgainstLive(db, projection, digests);
  return { position: asOf.position, compared: before !== undefined, differing, digests, lost };
};

/** Digests begin with the number of rows. */
const rowsIn = (digests: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(Object.entries(digests).map(([table, digest]) => [table, Number(digest.split(':')[0])]));

/** The same with live tables that stand at another position, or have another shape. */
const lostAgainstLive = async (
  db: Kysely<unknown>,
  projection: Projection,
  digests: Readonly<Record<string, string>>,
): Promise<LostRows[]> => {
  const live = (await checkpointsOf(db, projection.name)).find(({ state }) => state === 'live');
  return live ? lostRows(await tableRows(db, projection, live.physicalSchema), rowsIn(digests)) : [];
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

const liveReached = async (around: RebuildContext, position: number): Promise<void> => {
  for (let live = around.live(); live && live.position < position; live = around.live()) {
    await pause(20, around.signal);
    around.signal.throwIfAborted();
  }
};
