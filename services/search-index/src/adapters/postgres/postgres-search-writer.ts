import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { searchKinds, type PopularityChange, type SearchDocument, type SearchDocumentKey, type SearchKind } from '../../search-document.js';
import type { SearchBatch, SearchCheckpoint, SearchIndexWriter, SearchRebuild } from '../../search-index.js';
import { asUnavailable } from './database-faults.js';
import { indexedDocument } from './search-elements.js';
import {
  createGeneration,
  dropGeneration,
  HOT_THINGS,
  hotThreshold,
  liveGeneration,
  moveCheckpoint,
  prepareTables,
  publishedTables,
  publishGeneration,
  wordCounts,
  type Generation,
  type LiveGeneration,
} from './search-tables.js';

type Writing = Transaction<unknown> | Kysely<unknown>;

/** Rows of one statement. */
const ROWS_AT_ONCE = 2000;

const idsOf = (keys: readonly SearchDocumentKey[], kind: SearchKind): number[] =>
  keys.filter((key) => key.kind === kind).map(({ id }) => id);

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ROWS_AT_ONCE) }, (_, part) => all.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE));

/** The rows of documents as a set; the last of several with one id counts. */
const rowsOf = (documents: readonly SearchDocument[]): RawBuilder<unknown> => {
  const rows = [...new Map(documents.map((document) => [document.id, indexedDocument(document)])).values()];
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(id integer, key text, plain text, popularity integer, private boolean, words text[])`;
};

/** Adds to the counts of words, or takes off, what a set of arrays holds. Counts that reach nothing stay as rows that no search looks at. */
const countWords = (words: RawBuilder<unknown>, arrays: RawBuilder<unknown>, sign: 1 | -1): RawBuilder<unknown> =>
  sql`insert into ${words} as known (word, df, name_df) select word, ${sign} * df, ${sign} * name_df from (${wordCounts(arrays)}) counted order by word
    on conflict (word) do update set df = known.df + excluded.df, name_df = known.name_df + excluded.name_df`;

/** Takes things out of a live index; answers how many there were. */
const take = async (tx: Writing, { tables }: Generation, kind: SearchKind, ids: readonly number[]): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with gone as materialized (delete from ${tables.things(kind)} where id = any(${ids}::integer[]) returning words),
      counted as (${countWords(tables.words(kind), sql`select words from gone`, -1)})
    select count(*)::integer as n from gone`.execute(tx);
  return rows[0]?.n ?? 0;
};

/** Puts things into a live index that are not in it. */
const put = async (
  tx: Writing,
  { tables, hotFrom }: LiveGeneration,
  kind: SearchKind,
  documents: readonly SearchDocument[],
): Promise<void> => {
  const isHot = sql`popularity >= ${hotFrom[kind] ?? 1}::integer`;
  await sql`
    with added as materialized (insert into ${tables.things(kind)} (id, key, plain, popularity, private, hot, words)
        select id, key, plain, popularity, private, ${isHot}, words from ${rowsOf(documents)} returning words)
    ${countWords(tables.words(kind), sql`select words from added`, 1)}`.execute(tx);
};

const setPopularity = async (
  tx: Writing,
  { tables }: Generation,
  kind: SearchKind,
  { changes, hotFrom }: { changes: readonly PopularityChange[]; hotFrom: number },
): Promise<void> => {
  const wanted = new Map(changes.filter((change) => change.kind === kind).map(({ id, popularity }) => [id, popularity]));
  if (wanted.size === 0) return;
  const list = JSON.stringify([...wanted].map(([id, popularity]) => ({ id, popularity: Math.max(0, Math.trunc(popularity)) })));
  await sql`update ${tables.things(kind)} t set popularity = c.popularity, hot = c.popularity >= ${hotFrom}::integer
    from json_to_recordset(${list}::json) as c(id integer, popularity integer)
    where t.id = c.id and t.popularity <> c.popularity`.execute(tx);
};

/** Keeps few things popular: when they have doubled, the less popular half is that no more. */
const cooled = async (tx: Writing, { tables }: Generation, kind: SearchKind, hotFrom: number): Promise<number> => {
  const things = tables.things(kind);
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${things} where hot`.execute(tx);
  if ((rows[0]?.n ?? 0) <= 2 * HOT_THINGS) return hotFrom;
  const threshold = Math.max(hotFrom, await hotThreshold(tx, things));
  await sql`update ${things} set hot = false where hot and popularity < ${threshold}`.execute(tx);
  return threshold;
};

const applyToKind = async (
  tx: Writing,
  live: LiveGeneration,
  kind: SearchKind,
  batch: SearchBatch,
): Promise<[count: number, hot: number]> => {
  const documents = (batch.upserts ?? []).filter((document) => document.kind === kind);
  const gone = [...idsOf(documents, kind), ...idsOf(batch.deletions ?? [], kind)];
  const distinct = new Set(documents.map(({ id }) => id)).size;
  let count = live.counts[kind] ?? 0;
  let hotFrom = live.hotFrom[kind] ?? 1;
  if (gone.length > 0) count += distinct - (await take(tx, live, kind, gone));
  if (documents.length > 0) await put(tx, live, kind, documents);
  const changes = (batch.popularity ?? []).filter((change) => change.kind === kind);
  await setPopularity(tx, live, kind, { changes, hotFrom });
  if (changes.length > 0 || documents.length > 0) hotFrom = await cooled(tx, live, kind, hotFrom);
  return [count, hotFrom];
};

class PostgresRebuild implements SearchRebuild {
  constructor(
    private readonly db: Kysely<unknown>,
    private readonly generation: Generation,
  ) {}

  async write({ upserts = [], deletions = [], popularity = [] }: SearchBatch): Promise<void> {
    for (const kind of searchKinds) {
      const things = this.generation.tables.things(kind);
      for (const part of inParts(upserts.filter((document) => document.kind === kind)))
        await asUnavailable(() =>
          sql`insert into ${things} (id, key, plain, popularity, private, words) select id, key, plain, popularity, private, words from ${rowsOf(part)}
            on conflict (id) do update set key = excluded.key, plain = excluded.plain, popularity = excluded.popularity, private = excluded.private,
              words = excluded.words`.execute(this.db),
        );
      const gone = idsOf(deletions, kind);
      if (gone.length > 0) await asUnavailable(() => sql`delete from ${things} where id = any(${gone}::integer[])`.execute(this.db));
      await asUnavailable(() => setPopularity(this.db, this.generation, kind, { changes: popularity, hotFrom: 2_147_483_647 }));
    }
  }

  swap(checkpoint: SearchCheckpoint): Promise<void> {
    return asUnavailable(() => publishGeneration(this.db, this.generation, checkpoint));
  }

  abandon(): Promise<void> {
    return asUnavailable(() => dropGeneration(this.db, this.generation));
  }
}

/** Writes the search index into Postgres, with an account that may create schemas. */
export class PostgresSearchWriter implements SearchIndexWriter {
  readonly name = 'postgres';

  constructor(private readonly db: Kysely<unknown>) {}

  async prepare(): Promise<void> {
    await asUnavailable(() => prepareTables(this.db));
  }

  async checkpoint(): Promise<SearchCheckpoint | undefined> {
    return (await asUnavailable(() => liveGeneration(this.db)))?.checkpoint;
  }

  apply(batch: SearchBatch, checkpoint: SearchCheckpoint): Promise<void> {
    return asUnavailable(() =>
      this.db.transaction().execute(async (tx) => {
        const live = await liveGeneration(tx);
        if (!live) throw new Error('there is no search index to write to; it has to be rebuilt first');
        const counts = { ...live.counts };
        const hotFrom = { ...live.hotFrom };
        for (const kind of searchKinds) [counts[kind], hotFrom[kind]] = await applyToKind(tx, live, kind, batch);
        await moveCheckpoint(tx, { id: live.id, counts, hotFrom }, checkpoint);
      }),
    );
  }

  async beginRebuild(): Promise<SearchRebuild> {
    return new PostgresRebuild(this.db, await asUnavailable(() => createGeneration(this.db)));
  }

  async counts(): Promise<Readonly<Record<SearchKind, number>>> {
    const parts = searchKinds.map((kind) => sql`select ${kind}::text as kind, count(*)::integer as n from ${publishedTables.things(kind)}`);
    const { rows } = await asUnavailable(() => sql<{ kind: SearchKind; n: number }>`${sql.join(parts, sql` union all `)}`.execute(this.db));
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n])) as Record<SearchKind, number>;
  }
}
