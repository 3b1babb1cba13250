import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { READER_ROLE } from '@continuo/chassis';
import { searchKinds, type SearchKind } from '../../search-document.js';
import type { SearchCheckpoint } from '../../search-index.js';

/*
 * The tables of the index. Each generation has a schema of its own with two tables per kind: the things, and the words that occur in them. Readers
 * meet the live one through views of the same names in schema `search`.
 */

/** Schema of the views and of the list of generations. */
const PUBLISHED = 'search';

/** So many things of a kind at most are taken for popular; matches among these are always ranked in full. */
export const HOT_THINGS = 10_000;

type Db = Kysely<unknown> | Transaction<unknown>;

/** Names that statements use: qualified tables of a generation, or of the views. */
export interface SearchTables {
  readonly things: (kind: SearchKind) => RawBuilder<unknown>;
  readonly words: (kind: SearchKind) => RawBuilder<unknown>;
}

const tablesIn = (schema: string): SearchTables => ({
  things: (kind) => sql`${sql.id(schema, kind)}`,
  words: (kind) => sql`${sql.id(schema, `${kind}_word`)}`,
});

/** The views that readers use. */
export const publishedTables: SearchTables = tablesIn(PUBLISHED);

/** One filled or half-filled index. */
export interface Generation {
  readonly id: number;
  readonly schema: string;
  readonly tables: SearchTables;
}

const generationOf = (id: number): Generation => {
  const schema = `search_g${id}`;
  return { id, schema, tables: tablesIn(schema) };
};

const GENERATIONS = sql`${sql.id(PUBLISHED, 'generation')}`;

/** Creates the extension where this account may; without it misspelt words are found by their first letters. */
const ensureTrigrams = async (db: Kysely<unknown>): Promise<boolean> => {
  const installed = async (): Promise<boolean> =>
    (await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db)).rows.length > 0;
  if (await installed()) return true;
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
  } catch (error) {
    // Not allowed, or not part of this installation: what is left works without it. Anything else is a fault.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!['42501', '0A000', '58P01', '23505', '42710'].includes(code)) throw error;
  }
  return installed();
};

/** Creates schema and list of generations. Answers whether there are trigrams. */
export const prepareTables = async (db: Kysely<unknown>): Promise<boolean> => {
  const hasTrigrams = await ensureTrigrams(db);
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('search-index', 0))`.execute(tx);
    await sql`create schema if not exists ${sql.id(PUBLISHED)}`.execute(tx);
    await sql`create table if not exists ${GENERATIONS} (
      id integer primary key generated always as identity, live boolean not null default false, trigrams boolean not null,
      epoch text, position bigint, version integer, counts jsonb not null default '{}', hot jsonb not null default '{}')`.execute(tx);
    const role = await sql`select 1 from pg_roles where rolname = ${READER_ROLE}`.execute(tx);
    if (role.rows.length === 0) return;
    await sql`grant usage on schema ${sql.id(PUBLISHED)} to ${sql.id(READER_ROLE)}`.execute(tx);
    await sql`grant select on ${GENERATIONS} to ${sql.id(READER_ROLE)}`.execute(tx);
  });
  return hasTrigrams;
};

/** The live generation as its readers and its writer know it. */
export interface LiveGeneration extends Generation {
  readonly checkpoint: SearchCheckpoint;
  readonly hasTrigrams: boolean;
  /** Things of each kind. */
  readonly counts: Readonly<Partial<Record<SearchKind, number>>>;
  /** From how many plays on a thing of the kind is popular. */
  readonly hotFrom: Readonly<Partial<Record<SearchKind, number>>>;
}

/** Undefined when nothing was ever swapped in. */
export const liveGeneration = async (db: Db): Promise<LiveGeneration | undefined> => {
  const { rows } = await sql<{
    id: number;
    trigrams: boolean;
    epoch: string;
    position: number;
    version: number;
    counts: LiveGeneration['counts'];
    hot: LiveGeneration['hotFrom'];
  }>`select id, trigrams, epoch, position, version, counts, hot from ${GENERATIONS} where live`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { epoch, position, version } = row;
  return {
    ...generationOf(row.id),
    checkpoint: { epoch, position, version },
    hasTrigrams: row.trigrams,
    counts: row.counts,
    hotFrom: row.hot,
  };
};

const thingsDdl = (kind: SearchKind, { tables }: Generation): RawBuilder<unknown> =>
  sql`create table ${tables.things(kind)} (
    id integer primary key, key text collate "C" not null, plain text collate "C" not null, popularity integer not null,
    private boolean not null, hot boolean not null default false, words text[] collate "C" not null)`;

/** Begins an empty generation; those that never became live are dropped. */
export const createGeneration = (db: Kysely<unknown>): Promise<Generation> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('search-index', 0))`.execute(tx);
    const left = await sql<{ id: number }>`select id from ${GENERATIONS} where not live`.execute(tx);
    for (const { id } of left.rows) await removeGeneration(tx, id);
    const { rows } = await sql<{ id: number }>`insert into ${GENERATIONS} (trigrams)
      select exists (select 1 from pg_extension where extname = 'pg_trgm') returning id`.execute(tx);
    const generation = generationOf(rows[0]?.id ?? 0);
    await sql`create schema ${sql.id(generation.schema)}`.execute(tx);
    for (const kind of searchKinds) await thingsDdl(kind, generation).execute(tx);
    return generation;
  });

const removeGeneration = async (tx: Transaction<unknown>, id: number): Promise<void> => {
  await sql`drop schema if exists ${sql.id(generationOf(id).schema)} cascade`.execute(tx);
  await sql`delete from ${GENERATIONS} where id = ${id}`.execute(tx);
};

/** Drops a generation unless it is the live one. */
export const dropGeneration = (db: Kysely<unknown>, { id }: Generation): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql`select 1 from ${GENERATIONS} where id = ${id} and not live`.execute(tx);
    if (rows.length > 0) await removeGeneration(tx, id);
  });

/** From how many plays on a thing counts as popular: the fewest of the most popular, at least one. */
export const hotThreshold = async (db: Db, things: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ popularity: number }>`select popularity from ${things} where popularity > 0
    order by popularity desc offset ${HOT_THINGS} limit 1`.execute(db);
  return (rows[0]?.popularity ?? 0) + 1;
};

/** Changes of an inverted index wait in a list that every search reads, of at most so many kB: with the usual 4 MB a search took 12 ms longer after a scan. */
const WAITING_CHANGES = sql`with (gin_pending_list_limit = 128)`;

/** Counts the words of a filled table and builds its indexes; much faster at the end than along the way. */
const finishKind = async (
  tx: Transaction<unknown>,
  kind: SearchKind,
  { tables }: Generation,
  hasTrigrams: boolean,
): Promise<[number, number]> => {
  const things = tables.things(kind);
  const words = tables.words(kind);
  const threshold = await hotThreshold(tx, things);
  await sql`update ${things} set hot = true where popularity >= ${threshold}`.execute(tx);
  await sql`create table ${words} as ${wordCounts(sql`select words from ${things}`)}`.execute(tx);
  await sql`alter table ${words} add primary key (word)`.execute(tx);
  if (hasTrigrams) await sql`create index on ${words} using gin (word gin_trgm_ops) ${WAITING_CHANGES}`.execute(tx);
  await sql`create index on ${things} using gin (words) ${WAITING_CHANGES}`.execute(tx);
  await sql`create index on ${things} using gin (words) ${WAITING_CHANGES} where hot`.execute(tx);
  await sql`create index on ${things} (key, popularity desc, id)`.execute(tx);
  await sql`create index on ${things} (key) where hot`.execute(tx);
  await sql`create index on ${things} (popularity desc) where popularity > 0`.execute(tx);
  for (const table of [things, words]) await sql`analyze ${table}`.execute(tx);
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${things}`.execute(tx);
  return [rows[0]?.n ?? 0, threshold];
};

/** In how many things each word occurs, and in how many of their names. Catalogs are counted like words, accounts are not counted. */
export const wordCounts = (arrays: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select ltrim(element, '=') collate "C" as word, (count(*) filter (where element not like '=%'))::integer as df,
      (count(*) filter (where element like '=%'))::integer as name_df
    from (${arrays}) a, unnest(a.words) element where element not like '@%' group by 1`;

/** Makes a filled generation the live one and drops the one before. */
export const publishGeneration = (db: Kysely<unknown>, generation: Generation, checkpoint: SearchCheckpoint): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    const { rows } = await sql<{ trigrams: boolean }>`select trigrams from ${GENERATIONS} where id = ${generation.id}`.execute(tx);
    if (!rows[0]) throw new Error('this rebuild was given up or another one was begun');
    const counts: Partial<Record<SearchKind, number>> = {};
    const hot: Partial<Record<SearchKind, number>> = {};
    for (const kind of searchKinds) [counts[kind], hot[kind]] = await finishKind(tx, kind, generation, rows[0].trigrams);
    await sql`select pg_advisory_xact_lock(hashtextextended('search-index', 0))`.execute(tx);
    const before = await sql<{ id: number }>`select id from ${GENERATIONS} where live`.execute(tx);
    await publishViews(tx, generation);
    for (const { id } of before.rows) if (id !== generation.id) await removeGeneration(tx, id);
    const { epoch, position, version } = checkpoint;
    await sql`update ${GENERATIONS} set live = true, epoch = ${epoch}, position = ${position}, version = ${version},
      counts = ${JSON.stringify(counts)}::jsonb, hot = ${JSON.stringify(hot)}::jsonb where id = ${generation.id}`.execute(tx);
  });

/** Takes the views of a kind in the order in which a search uses them, words first, so that neither waits for the other for ever. */
const publishViews = async (tx: Transaction<unknown>, { schema }: Generation): Promise<void> => {
  const role = await sql`select 1 from pg_roles where rolname = ${READER_ROLE}`.execute(tx);
  for (const name of searchKinds.flatMap((kind) => [`${kind}_word`, kind])) {
    const view = sql.id(PUBLISHED, name);
    await sql`drop view if exists ${view}`.execute(tx);
    await sql`create view ${view} as select * from ${sql.id(schema, name)}`.execute(tx);
    if (role.rows.length > 0) await sql`grant select on ${view} to ${sql.id(READER_ROLE)}`.execute(tx);
  }
};

/** Moves the live generation's checkpoint, with what changed in its numbers. */
export const moveCheckpoint = async (
  tx: Transaction<unknown>,
  live: Pick<LiveGeneration, 'id' | 'counts' | 'hotFrom'>,
  { epoch, position, version }: SearchCheckpoint,
): Promise<void> => {
  const { rows } = await sql`update ${GENERATIONS} set epoch = ${epoch}, position = ${position}, version = ${version},
    counts = ${JSON.stringify(live.counts)}::jsonb, hot = ${JSON.stringify(live.hotFrom)}::jsonb where id = ${live.id} and live returning id`.execute(
    tx,
  );
  if (rows.length === 0) throw new Error('the search index was replaced while it was being written');
};
