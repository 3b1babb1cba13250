import type { ReadModel } from '@continuo/contracts';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

/** The published read model. The role behind it may only read. */
export type ReadDatabase = Kysely<ReadModel>;

/** How the gateway connects to the read model. */
export interface ReadDatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** No statement takes longer; 0 is no limit. */
  readonly statementTimeoutMs?: number;
  /** Hears of every connection that breaks; the statement that it breaks, if any, fails besides. */
  readonly onIdleError: (error: Error) => void;
}

const INT8 = 20;
/** How long a request waits for a connection before it is told to come again. */
const CONNECT_TIMEOUT_MS = 10_000;

type Parser = (oid: number, format?: 'text' | 'binary') => (value: string) => unknown;
const usualParser = pg.types.getTypeParser as unknown as Parser;
// Times, sizes and counts are `bigint` in Postgres and far below 2^53: plain numbers are what everything here works with.
const parserOf: Parser = (oid, format) => (oid === INT8 ? Number : usualParser(oid, format ?? 'text'));
const types: pg.CustomTypesConfig = { getTypeParser: parserOf };

/** Opens a pool onto the read model; `destroy()` ends it. */
export const openReadDatabase = (options: ReadDatabaseOptions): ReadDatabase => {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    types,
    application_name: 'continuo-gateway',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Belt and braces beside the role: nothing that the gateway sends can write. And compiling our statements would take longer than running them.
    options: `-c jit=off -c default_transaction_read_only=on -c statement_timeout=${options.statementTimeoutMs ?? 0}`,
  });
  pool.on('error', options.onIdleError);
  // The pool listens to connections that nobody uses; one that breaks between two statements of somebody would end the process unheard.
  pool.on('connect', (client) => void client.on('error', options.onIdleError));
  return new Kysely<ReadModel>({ dialect: new PostgresDialect({ pool }) });
};
