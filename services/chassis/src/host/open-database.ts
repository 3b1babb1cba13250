import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { openDatabase, openPool, type DatabaseOptions, type OpenDatabase } from '../persistence/database.js';
import { endProcess } from './end-process.js';
import { doublingPauses, retry } from '../retry.js';

/** Wrong password, no such role, no such database: waiting does not help. */
const HOPELESS = new Set(['28P01', '28000', '3D000']);
const MAX_WAIT_MS = 2000;
/** The leases of a pool share one connection, which they keep. */
const FOR_LEASES = 1;

/**
 * Opens a pool and waits until the database answers.
 * @throws Error when the login or database name is refused, or nothing answers within `patienceMs`.
 */
export const openDatabasePatiently = async (
  options: DatabaseOptions & { readonly log: Logger },
  patienceMs: number,
): Promise<Kysely<unknown>> => {
  const db = openDatabase(options);
  await answeringOrClosed(db, options.log, patienceMs);
  return db;
};

/** Options of a pool that services may share. */
export type SharedDatabaseOptions = DatabaseOptions & { readonly log: Logger };

/** A database that is in use. */
export interface UsedDatabase {
  readonly db: Kysely<unknown>;
  /** Closes the connections when nobody else uses them. */
  readonly close: () => Promise<void>;
}

/** Opens databases for services. */
export interface Databases {
  /** @throws Error when the login or database name is refused, or nothing answers within `patienceMs` */
  open(options: SharedDatabaseOptions, patienceMs: number): Promise<UsedDatabase>;
}

/** A pool of its own for each. */
export const ownDatabases: Databases = {
  async open(options, patienceMs) {
    const db = await openDatabasePatiently(options, patienceMs);
    return { db, close: () => db.destroy() };
  },
};

/**
 * One pool for all services of a process that want the same of it, of the size that the largest of them wants, and one connection for leases: services are rarely busy at the same
 * moment, and each connection costs Postgres some megabytes. What watches over a pool does so once.
 */
export class SharedDatabases implements Databases {
  readonly #pools = new Map<string, { readonly opened: OpenDatabase; users: number; size: number }>();

  async open(options: SharedDatabaseOptions, patienceMs: number): Promise<UsedDatabase> {
    const { url, readOnly, statementTimeoutMs, idleInTransactionMs, isPipelined } = options;
    const key = JSON.stringify([url, readOnly, statementTimeoutMs, idleInTransactionMs, isPipelined]);
    const known = this.#pools.get(key);
    const size = Math.max(known?.size ?? 0, options.poolSize + FOR_LEASES);
    // Some of those that share it have tables.
    const onOtherHistory = readOnly ? undefined : endProcess;
    const pool = known ?? {
      opened: openPool({ ...options, poolSize: size, onOtherHistory, applicationName: sharedName(options.applicationName) }),
      users: 0,
      size,
    };
    this.#pools.set(key, pool);
    pool.users += 1;
    pool.opened.grow(size - pool.size);
    pool.size = size;
    const close = async (): Promise<void> => {
      pool.users -= 1;
      if (pool.users > 0) return;
      this.#pools.delete(key);
      await pool.opened.db.destroy();
    };
    try {
      await untilAnswering(pool.opened.db, options.log, patienceMs);
    } catch (error) {
      await close();
      throw error;
    }
    return { db: pool.opened.db, close };
  }
}

/** `continuo-library-projections` is `continuo-standalone-projections` when it serves them all; operators' commands know services by these names. */
const sharedName = (applicationName: string): string => applicationName.replace(/^continuo-[a-z]+/, 'continuo-standalone');

const answeringOrClosed = async (db: Kysely<unknown>, log: Logger, patienceMs: number): Promise<void> => {
  try {
    await untilAnswering(db, log, patienceMs);
  } catch (error) {
    await db.destroy();
    throw error;
  }
};

const untilAnswering = async (db: Kysely<unknown>, log: Logger, patienceMs: number): Promise<void> => {
  const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
  await retry(() => sql`select 1`.execute(db), {
    pauseMs: doublingPauses(100, MAX_WAIT_MS),
    withinMs: patienceMs,
    isTransient: (error) => !HOPELESS.has(codeOf(error)),
    onRetry: (error, waitMs) => log.warn({ code: codeOf(error), waitMs }, 'Postgres does not answer yet, trying again'),
  }).catch((error: unknown) => {
    throw new Error(`Postgres cannot be used: ${error instanceof Error ? error.message || codeOf(error) : String(error)}`, {
      cause: error,
    });
  });
};
