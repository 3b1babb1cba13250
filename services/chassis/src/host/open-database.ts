import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { openDatabase, type DatabaseOptions } from '../persistence/database.js';

/** Wrong password, no such role, no such database: waiting does not help. */
const HOPELESS = new Set(['28P01', '28000', '3D000']);
const MAX_WAIT_MS = 2000;

/**
 * Opens a pool and waits until the database answers.
 * @throws Error when the login or database name is refused, or nothing answers within `patienceMs`.
 */
export const openDatabasePatiently = async (
  options: DatabaseOptions & { readonly log: Logger },
  patienceMs: number,
): Promise<Kysely<unknown>> => {
  const db = openDatabase(options);
  try {
    await untilAnswering(db, options.log, patienceMs);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
};

const untilAnswering = async (db: Kysely<unknown>, log: Logger, patienceMs: number): Promise<void> => {
  const until = Date.now() + patienceMs;
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (HOPELESS.has(code) || Date.now() + waitMs > until) {
        throw new Error(`Postgres cannot be used: ${error instanceof Error ? error.message || code : String(error)}`, { cause: error });
      }
      log.warn({ code, waitMs }, 'Postgres does not answer yet, trying again');
      await delay(waitMs);
    }
  }
};
