import { eventStreams } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { advancing, checkpointsOf, insertCheckpoint, insistOnOwnership, READER_ROLE, setState, type Checkpoint } from './checkpoints.js';
import { pause } from '../pause.js';
import type { Projection } from './projection.js';

/** Physical schema of one generation: private to the projection's writer, readers only meet the views. */
const physicalSchema = (projection: Projection, generation: number): string =>
  `${projection.name.replaceAll('-', '_')}_v${projection.version}_g${generation}`;

/**
 * Makes every name in the transaction resolve to a generation's own tables. The planner is told to follow indexes: a projection touches the rows
 * of one batch, and tables that are still being filled have statistics that make it read them whole. The commit does not wait for the disk: what a crash takes, it takes with the
 * checkpoint, and it is read again from the log.
 */
export const enteringSchema = ({ physicalSchema: schema }: Pick<Checkpoint, 'physicalSchema'>): RawBuilder<unknown> => sql`
  select set_config('search_path', quote_ident(${schema}) || ', public', true),
    set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('synchronous_commit', 'off', true)`;

/** Does what {@link enteringSchema} says. */
export const enterSchema = (tx: Transaction<unknown>, checkpoint: Pick<Checkpoint, 'physicalSchema'>): Promise<unknown> =>
  enteringSchema(checkpoint).execute(tx);

/** Serialises everything that creates, swaps or drops generations of one projection, across replicas. */
const lockGenerations = (tx: Transaction<unknown>, projection: Projection): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`generations:${projection.name}`}, 0))`.execute(tx);

/**
 * The generation that a runner of this projection version should work on. Without any live generation the first one is live from the start;
 * a newer version than the live one is built beside it. Undefined when a newer release is live: this one then stands by.
 */
export const currentGeneration = (db: Kysely<unknown>, projection: Projection, epoch: string): Promise<Checkpoint | undefined> =>
  db.transaction().execute(async (tx) => {
    await lockGenerations(tx, projection);
    const known = await checkpointsOf(tx, projection.name);
    const live = known.find((row) => row.state === 'live');
    if (live?.version === projection.version) return live;
    const building = await ownBuilding(tx, projection, epoch, known);
    if (building) return building;
    if (live && live.version > projection.version) return undefined;
    return createGeneration(tx, projection, { epoch, state: live ? 'building' : 'live', known });
  });

/** Begins a rebuild: a fresh generation of the same version, filled beside the live one. Answers the one that is under way, if any. */
export const beginRebuild = (db: Kysely<unknown>, projection: Projection, epoch: string): Promise<Checkpoint> =>
  db.transaction().execute(async (tx) => {
    await lockGenerations(tx, projection);
    const known = await checkpointsOf(tx, projection.name);
    const building = await ownBuilding(tx, projection, epoch, known);
    return building ?? createGeneration(tx, projection, { epoch, state: 'building', known });
  });

/** The generation of this version that is being filled; one that was begun in another incarnation of the log is given up. */
const ownBuilding = async (
  tx: Transaction<unknown>,
  { version }: Projection,
  epoch: string,
  known: readonly Checkpoint[],
): Promise<Checkpoint | undefined> => {
  const begun = known.filter((row) => row.state === 'building' && row.version === version);
  for (const other of begun) if (other.epoch !== epoch) await setState(tx, other, 'retired');
  return begun.find((row) => row.epoch === epoch);
};

const createGeneration = async (
  tx: Transaction<unknown>,
  projection: Projection,
  options: { epoch: string; state: 'building' | 'live'; known: readonly Checkpoint[] },
): Promise<Checkpoint> => {
  const generation = 1 + Math.max(0, ...options.known.filter((row) => row.version === projection.version).map((row) => row.generation));
  const schema = physicalSchema(projection, generation);
  await sql`create schema ${sql.id(schema)}`.execute(tx);
  await enterSchema(tx, { physicalSchema: schema });
  for (const statement of projection.ddl) await sql.raw(statement).execute(tx);
  if (options.state === 'live') {
    for (const query of projection.filling?.derive(tx) ?? []) await tx.executeQuery(query.compile());
    for (const statement of projection.readerIndexes ?? []) await sql.raw(statement).execute(tx);
  } else if (projection.filling) await sql`create table ${sql.table(ROWS_ONLY)} ()`.execute(tx);
  const row = {
    name: projection.name,
    version: projection.version,
    generation,
    state: options.state,
    physicalSchema: schema,
    epoch: options.epoch,
  } as const;
  const stream = eventStreams[projection.context];
  await insertCheckpoint(tx, { ...row, stream });
  if (options.state === 'live') await publishViews(tx, projection, schema);
  return { ...row, stream, position: 0, fence: 0 };
};

/** A table of this name stands among those of a generation for as long as these hold rows alone; see `Filling`. */
const ROWS_ONLY = 'rows_only';

/** True when what follows from the rows of a generation is still to be derived. */
export const holdsRowsOnly = async (db: Kysely<unknown>, { physicalSchema: schema }: Checkpoint): Promise<boolean> => {
  const { rows } = await sql`select from pg_tables where schemaname = ${schema} and tablename = ${ROWS_ONLY}`.execute(db);
  return rows.length > 0;
};

/**
 * Derives what follows from the rows of a generation: whole tables are gone through, so the planner may do that here.
 * @throws FencedOut when another owner took over
 * @throws whatever the signal was fired with, when it fires before the end
 */
export const deriveFromRows = async (
  db: Kysely<unknown>,
  { filling }: Projection,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<void> => {
  const schema = checkpoint.physicalSchema;
  await takeStatistics(db, checkpoint);
  await db.transaction().execute(async (tx) => {
    insistOnOwnership(checkpoint, await advancing(checkpoint, checkpoint.position).execute(tx));
    await sql`select set_config('search_path', quote_ident(${schema}) || ', public', true)`.execute(tx);
    for (const query of filling?.derive(tx) ?? []) {
      signal.throwIfAborted();
      await tx.executeQuery(query.compile());
    }
    await sql`drop table ${sql.id(schema, ROWS_ONLY)}`.execute(tx);
  });
};

/** Creates the indexes that a generation lacks and readers need. Returns early when the signal fires. */
export const makeReaderIndexes = async (
  db: Kysely<unknown>,
  { readerIndexes = [] }: Projection,
  checkpoint: Pick<Checkpoint, 'physicalSchema'>,
  signal: AbortSignal,
): Promise<void> => {
  for (const statement of readerIndexes) {
    if (signal.aborted) return;
    await db.transaction().execute(async (tx) => {
      await enterSchema(tx, checkpoint);
      await sql.raw(statement).execute(tx);
    });
  }
};

/** Statistics of a table that has become so many times as large are of no use. */
const STALE_GROWTH = 4;

/**
 * Tells the planner how large those tables of a generation are that have grown, and how their values are spread. Postgres looks by itself once a minute: until then it knows nothing of
 * tables that fill faster, and takes plans for them that read large tables whole for each row of a batch.
 */
export const takeStatistics = async (db: Kysely<unknown>, checkpoint: Pick<Checkpoint, 'physicalSchema'>): Promise<void> => {
  const schema = checkpoint.physicalSchema;
  const { rows } = await sql<{ table: string }>`
    select c.relname as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r'
      and pg_relation_size(c.oid) > ${STALE_GROWTH}::bigint * c.relpages * current_setting('block_size')::int`.execute(db);
  const tables = rows.map(({ table }) => sql.id(schema, table));
  if (tables.length > 0) await sql`analyze (skip_locked) ${sql.join(tables)}`.execute(db);
};

/** Points the published views at a generation's tables. Readers with a statement under way finish it on the old tables. */
const publishViews = async (tx: Transaction<unknown>, projection: Projection, schema: string): Promise<void> => {
  const published = sql.id(projection.publishedSchema);
  // Two projections of one schema must not change its grants at the same time.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`published:${projection.publishedSchema}`}, 0))`.execute(tx);
  await sql`create schema if not exists ${published}`.execute(tx);
  await sql`grant usage on schema ${published} to ${sql.id(READER_ROLE)}`.execute(tx);
  await lockViews(tx, projection);
  const statements = projection.publishes.flatMap((table) => {
    const view = `"${projection.publishedSchema}"."${table}"`;
    return [
      `drop view if exists ${view}`,
      `create view ${view} as select * from "${schema}"."${table}"`,
      `grant select on ${view} to "${READER_ROLE}"`,
    ];
  });
  // One way to the database: readers wait for as long as this takes.
  await sql.raw(`do $views$ begin ${statements.join('; ')}; end $views$`).execute(tx);
};

/** All views at once, or none after a moment: see `SWAP_MS`. @throws an error of Postgres when readers have one of them for too long */
const lockViews = async (tx: Transaction<unknown>, { publishedSchema, publishes }: Projection): Promise<void> => {
  const { rows } = await sql<{ view: string }>`
    select viewname as view from pg_views where schemaname = ${publishedSchema} and viewname in (${sql.join(publishes)})`.execute(tx);
  if (rows.length === 0) return;
  await sql`select set_config('statement_timeout', ${`${SWAP_MS}ms`}, true)`.execute(tx);
  await sql`lock table ${sql.join(rows.map(({ view }) => sql`${sql.id(publishedSchema)}.${sql.id(view)}`))} in access exclusive mode`.execute(
    tx,
  );
  await sql`select set_config('statement_timeout', '0', true)`.execute(tx);
};

/** Steps with a generation locked, the last of each pool: a step holds a connection while it needs more, so that several at once could use them all up and wait for ever. */
const lastSteps = new WeakMap<Kysely<unknown>, Promise<unknown>>();

/**
 * Runs a step while the live generation stands still: its owner, in whatever process, commits nothing until the step is over. The step gets the transaction that holds it, and the live
 * generation as it stands. Steps of one pool wait for each other.
 */
export const withLiveGenerationLocked = <T>(
  db: Kysely<unknown>,
  projection: Projection,
  step: (tx: Transaction<unknown>, live: Checkpoint | undefined) => Promise<T>,
): Promise<T> => {
  const locked = (): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await lockGenerations(tx, projection);
      await sql`select from chassis.projection_checkpoint where name = ${projection.name} and state = 'live' for update`.execute(tx);
      return step(
        tx,
        (await checkpointsOf(tx, projection.name)).find((row) => row.state === 'live'),
      );
    });
  const turn = (lastSteps.get(db) ?? Promise.resolve()).then(locked, locked);
  lastSteps.set(db, turn);
  return turn;
};

/**
 * Readers wait so long at most while all views of a projection are replaced. Less than the second after which Postgres looks for deadlocks, so that it is never a reader who has to give way:
 * one that has a view already may wait for the next one, which is locked, while its own is waited for here.
 */
const SWAP_MS = 600;
const DROP_LOCK_MS = 300;
const AFTER_BUSY_MS = 200;
/** The lock was not to be had, or the statement was ended while it waited for it. */
const BUSY: ReadonlySet<unknown> = new Set(['55P03', '57014']);

/**
 * Lets readers see a caught-up generation in place of the live one, in the transaction of {@link withLiveGenerationLocked}.
 * @throws an error of Postgres when readers have the views for too long; see {@link retryWhileLocked}
 */
export const swapViews = async (tx: Transaction<unknown>, projection: Projection, built: Checkpoint): Promise<void> => {
  for (const row of await checkpointsOf(tx, projection.name)) if (row.state === 'live') await setState(tx, row, 'retired');
  await setState(tx, built, 'live');
  await publishViews(tx, projection, built.physicalSchema);
};

/** Does something that needs tables or views for itself, again and again until no reader is in the way for too long. */
export const retryWhileLocked = async <T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!BUSY.has((error as { readonly code?: unknown }).code) || signal.aborted) throw error;
      await pause(AFTER_BUSY_MS, signal);
    }
  }
};

/** Drops the tables of generations that nobody reads any more. Readers with a statement under way finish it first; they never wait for this. */
export const dropRetired = async (db: Kysely<unknown>, projection: Projection, signal: AbortSignal): Promise<void> => {
  const found = await sql<{ schema: string }>`
    select physical_schema as schema from chassis.projection_checkpoint
    where name = ${projection.name} and state = 'retired' and to_regnamespace(quote_ident(physical_schema)) is not null`.execute(db);
  for (const { schema } of found.rows)
    await retryWhileLocked(signal, () =>
      db.transaction().execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${`${DROP_LOCK_MS}ms`}, true)`.execute(tx);
        await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(tx);
      }),
    );
};

/** Removes a generation that is not live, with its tables. */
export const dropGeneration = (db: Kysely<unknown>, checkpoint: Checkpoint): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`drop schema if exists ${sql.id(checkpoint.physicalSchema)} cascade`.execute(tx);
    await setState(tx, checkpoint, 'retired');
  });

/** Roles belong to the whole cluster: what another database made meanwhile is a name that exists, or a row of the catalogue that does. */
const MADE_MEANWHILE: ReadonlySet<unknown> = new Set(['42710', '23505']);

/** Creates the read-only role where the server lets us; a cluster's operator may have made it beforehand, and services of another database at the same moment. */
export const ensureReaderRole = async (db: Kysely<unknown>): Promise<void> => {
  const found = await sql`select 1 from pg_roles where rolname = ${READER_ROLE}`.execute(db);
  if (found.rows.length > 0) return;
  try {
    await sql`create role ${sql.id(READER_ROLE)} nologin`.execute(db);
  } catch (error) {
    if (!MADE_MEANWHILE.has((error as { readonly code?: unknown }).code)) throw error;
  }
};

/** Lets readers see how far their tables are: one that reads from a replica finds that out there. */
export const grantCheckpointsToReaders = async (db: Kysely<unknown>): Promise<void> => {
  const mayFollow = sql<{ may: boolean }>`
    select has_schema_privilege(${READER_ROLE}, 'chassis', 'usage')
      and has_column_privilege(${READER_ROLE}, 'chassis.projection_checkpoint', 'version', 'select') as may`;
  if ((await mayFollow.execute(db)).rows[0]?.may) return;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('published:chassis', 0))`.execute(tx);
    await sql`grant usage on schema chassis to ${sql.id(READER_ROLE)}`.execute(tx);
    await sql`grant select (name, version, state, position) on chassis.projection_checkpoint to ${sql.id(READER_ROLE)}`.execute(tx);
  });
};
