import type { Migration } from '@continuo/chassis';
import { sql, type Kysely } from 'kysely';
import type { AnswerCache, CachedAnswer, PluginRateLimiter } from './answer-cache.js';

/** Tables of the service that runs plug-ins; losing them costs asking again. */
export const pluginMigrations: readonly Migration[] = [
  {
    name: '2026-11-21-plugin-answers',
    statements: [
      `create table plugin_answer (
        plugin text not null, key text not null, status integer not null, content_type text not null, body bytea not null,
        fresh_until_ms bigint not null, kept_at_ms bigint not null, primary key (plugin, key))`,
      'create index plugin_answer_by_age on plugin_answer (fresh_until_ms)',
      'create table plugin_pace (plugin text primary key, next_at timestamptz not null)',
    ],
  },
];

/** Expired answers older than this are deleted, ms. */
const LONG_TOO_OLD_MS = 30 * 86_400_000;
/** Rows that one tidying throws away at most: it must not become a long statement. */
const TIDIED_AT_ONCE = 5000;

interface Row {
  readonly status: number;
  readonly content_type: string;
  readonly body: Buffer;
  readonly fresh_until_ms: string | number;
}

/** Answers in the schema of the service that runs the plug-ins. */
export class PostgresAnswerCache implements AnswerCache {
  readonly #db: Kysely<unknown>;
  readonly #schema: string;

  constructor(db: Kysely<unknown>, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  async find(plugin: string, key: string): Promise<CachedAnswer | undefined> {
    const { rows } = await sql<Row>`select status, content_type, body, fresh_until_ms from ${this.#table}
      where plugin = ${plugin} and key = ${key}`.execute(this.#db);
    const [row] = rows;
    return row && { status: row.status, contentType: row.content_type, body: row.body, freshUntilMs: Number(row.fresh_until_ms) };
  }

  async keep(plugin: string, key: string, answer: CachedAnswer): Promise<void> {
    await sql`insert into ${this.#table} (plugin, key, status, content_type, body, fresh_until_ms, kept_at_ms)
      values (${plugin}, ${key}, ${answer.status}, ${answer.contentType}, ${Buffer.from(answer.body)}, ${answer.freshUntilMs}, extract(epoch from now()) * 1000)
      on conflict (plugin, key) do update set status = excluded.status, content_type = excluded.content_type, body = excluded.body,
        fresh_until_ms = excluded.fresh_until_ms, kept_at_ms = excluded.kept_at_ms`.execute(this.#db);
  }

  async tidy(nowMs: number): Promise<void> {
    await sql`delete from ${this.#table} where (plugin, key) in (
      select plugin, key from ${this.#table} where fresh_until_ms < ${nowMs - LONG_TOO_OLD_MS} limit ${sql.lit(TIDIED_AT_ONCE)})`.execute(
      this.#db,
    );
  }

  get #table() {
    return sql.table(`${this.#schema}.plugin_answer`);
  }
}

/** Turns by the clock of the database, which all replicas share. */
export class PostgresRateLimiter implements PluginRateLimiter {
  readonly #db: Kysely<unknown>;
  readonly #schema: string;

  constructor(db: Kysely<unknown>, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  async turn(plugin: string, everyMs: number, patienceMs: number): Promise<number | undefined> {
    const every = sql`make_interval(secs => ${everyMs / 1000}::float8)`;
    const patience = sql`make_interval(secs => ${patienceMs / 1000}::float8)`;
    // `next_at` is when the next turn begins; the row lock puts those who ask at the same moment one behind the other.
    const { rows } = await sql<{ waitMs: number }>`
      insert into ${this.#table} as p (plugin, next_at) values (${plugin}, clock_timestamp() + ${every})
      on conflict (plugin) do update set next_at = greatest(p.next_at, clock_timestamp()) + ${every}
        where p.next_at <= clock_timestamp() + ${patience}
      returning (extract(epoch from p.next_at - ${every} - clock_timestamp()) * 1000)::float8 as "waitMs"`.execute(this.#db);
    const [row] = rows;
    return row && Math.max(0, row.waitMs);
  }

  async holdOff(plugin: string, ms: number): Promise<void> {
    await sql`insert into ${this.#table} as p (plugin, next_at) values (${plugin}, clock_timestamp() + make_interval(secs => ${ms / 1000}::float8))
      on conflict (plugin) do update set next_at = greatest(p.next_at, excluded.next_at)`.execute(this.#db);
  }

  get #table() {
    return sql.table(`${this.#schema}.plugin_pace`);
  }
}
