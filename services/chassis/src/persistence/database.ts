import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { cutSilentConnections } from './silent-database.js';
import type { PoolGauges } from './pool-metrics.js';

/** OIDs of types whose default parsing is wrong or slow for us: 64-bit counters and epoch milliseconds are read as numbers. */
const INT8_OID = 20;
const INT8_ARRAY_OID = 1016;
const NUMERIC_OID = 1700;

/** An array of numbers in one dimension, without nulls. */
const numbers = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number));

/** How to reach a database. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly log?: Logger;
  /** Where the connections at work are told of, by the application's name. */
  readonly pools?: PoolGauges;
  /** Belt and braces beside a role that may only read. */
  readonly readOnly?: boolean;
  /** Statements that run longer are cancelled; 0 = never. */
  readonly statementTimeoutMs?: number;
  /** A transaction in which nothing is asked for so long is ended by the server: whoever opened it stands still, and others wait for its rows. */
  readonly idleInTransactionMs?: number;
}

/** A pool of connections; lost ones are replaced by the next use. Close it with `destroy()`. */
export const openDatabase = <DB = unknown>(options: DatabaseOptions): Kysely<DB> => {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  types.setTypeParser(INT8_ARRAY_OID, numbers);
  types.setTypeParser(NUMERIC_OID, Number);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    types,
    connectionTimeoutMillis: 10_000,
    // Our statements are many and short; compiling one takes longer than running it.
    options: `-c jit=off${options.readOnly ? ' -c default_transaction_read_only=on' : ''}`,
    ...(options.statementTimeoutMs ? { statement_timeout: options.statementTimeoutMs } : {}),
    ...(options.idleInTransactionMs ? { idle_in_transaction_session_timeout: options.idleInTransactionMs } : {}),
  });
  // Without listeners a connection that dies between two statements would end the process, in the pool or in somebody's hands.
  const noteLoss = (error: Error & { code?: string }): void => {
    // A pool that was closed does not wait for its sockets: the server may end them first. The error itself drags the whole client along.
    if (!pool.ending) options.log?.warn({ code: error.code, reason: error.message }, 'database connection lost');
  };
  pool.on('error', noteLoss);
  pool.on('connect', (client) => client.on('error', noteLoss));
  cutSilentConnections(pool, options);
  const unfollow = options.pools?.follow(options.applicationName, pool, options.poolSize);
  pool.on('remove', () => {
    if (pool.ending && pool.totalCount === 0) unfollow?.();
  });
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
};
