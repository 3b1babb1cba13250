import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { oneHistory } from './cluster-history.js';
import { prepareHotStatements } from './prepared-statements.js';
import { cutSilentConnections } from './silent-database.js';
import type { PoolGauges } from './pool-metrics.js';

/** OIDs of types whose default parsing is wrong or slow for us: 64-bit counters and epoch milliseconds are read as numbers. */
const INT8_OID = 20;
const INT8_ARRAY_OID = 1016;
const NUMERIC_OID = 1700;

/** An array of numbers in one dimension, without nulls. */
const numbers = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number));

/** Connection options of a database. */
export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly log?: Logger;
  /** Gauges of connections, by the application's name. */
  readonly pools?: PoolGauges;
  /** Belt and braces beside a role that may only read. */
  readonly readOnly?: boolean;
  /** Statements that run longer are cancelled; 0 = never. */
  readonly statementTimeoutMs?: number;
  /** A transaction in which nothing is asked for so long is ended by the server: whoever opened it stands still, and others wait for its rows. */
  readonly idleInTransactionMs?: number;
  /** Sends statements that are asked at the same moment without waiting for the answers of those before. */
  readonly isPipelined?: boolean;
  /** For whoever writes tables: called when the server has failed over to another history. Its connections, and those to a standby, are turned down. */
  readonly onOtherHistory?: ((fault: Error) => void) | undefined;
}

/** A database, and the pool of its connections. */
export interface OpenDatabase<DB = unknown> {
  readonly db: Kysely<DB>;
  /** Lets the pool have so many connections more. */
  readonly grow: (connections: number) => void;
}

/** Statement that sets up a session. Poolers refuse such settings in the packet that opens a connection. */
const sessionSettings = ({ readOnly, statementTimeoutMs, idleInTransactionMs }: DatabaseOptions): string =>
  [
    // Our statements are many and short; compiling one takes longer than running it.
    'set jit = off',
    ...(readOnly ? ['set default_transaction_read_only = on'] : []),
    ...(statementTimeoutMs ? [`set statement_timeout = ${statementTimeoutMs}`] : []),
    ...(idleInTransactionMs ? [`set idle_in_transaction_session_timeout = ${idleInTransactionMs}`] : []),
  ].join('; ');

/** A pool of connections; lost ones are replaced by the next use. Close it with `destroy()`. */
export const openDatabase = <DB = unknown>(options: DatabaseOptions): Kysely<DB> => openPool<DB>(options).db;

/** A pool like that of {@link openDatabase} that can grow. */
export const openPool = <DB = unknown>(options: DatabaseOptions): OpenDatabase<DB> => {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  types.setTypeParser(INT8_ARRAY_OID, numbers);
  types.setTypeParser(NUMERIC_OID, Number);
  const { log, onOtherHistory } = options;
  const noteHistory =
    onOtherHistory &&
    oneHistory((fault) => {
      log?.fatal(fault.message);
      onOtherHistory(fault);
    });
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    types,
    connectionTimeoutMillis: 10_000,
    // Each backend holds some megabytes; many are opened at a start and in a scan. What runs now and then finds one: a login costs both sides some milliseconds.
    idleTimeoutMillis: 10_000,
    min: 1,
    ...(options.isPipelined ? { pipeline: true } : {}),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types leave out
    onConnect: async (client) => {
      await client.query(sessionSettings(options));
      await noteHistory?.(client);
    },
  });
  // Without listeners a connection that dies between two statements would end the process, in the pool or in somebody's hands.
  const noteLoss = (error: Error & { code?: string }): void => {
    // A pool that was closed does not wait for its sockets: the server may end them first. The error itself drags the whole client along.
    if (!pool.ending) log?.warn({ code: error.code, reason: error.message }, 'database connection lost');
  };
  pool.on('error', noteLoss);
  pool.on('connect', (client) => {
    client.on('error', noteLoss);
    prepareHotStatements(client);
  });
  cutSilentConnections(pool, options);
  const unfollow = options.pools?.follow(options.applicationName, pool);
  pool.on('remove', () => {
    if (pool.ending && pool.totalCount === 0) unfollow?.();
  });
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), grow: (connections) => void (pool.options.max += connections) };
};
