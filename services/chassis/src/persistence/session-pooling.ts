import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Questions after which a session counts as kept. */
const LOOKS = 20;

/** Asked by `values`, which is never prepared: what shares sessions may refuse a prepared statement. */
const markIn = async (connection: Kysely<unknown>): Promise<string | null | undefined> =>
  (await sql<{ column1: string | null }>`values (current_setting('continuo.session', true))`.execute(connection)).rows[0]?.column1;

/**
 * Requires that a connection keeps its session. A pooler in transaction mode gives it to others between two statements: leader leases, prepared statements and settings
 * would be lost, or another's. Needs a pool of two connections.
 * @throws Error when another connection gets the session of an idle one
 */
export const requireSessions = (db: Kysely<unknown>): Promise<void> =>
  db.connection().execute(async (connection) => {
    const mark = randomUUID();
    await sql`select set_config('continuo.session', ${sql.lit(mark)}, false)`.execute(connection);
    // While it is open, a pooler that shares sessions has to give one of both another one than before; beside busy clients it does so sooner or later.
    const isShared = await db.transaction().execute(async (transaction) => {
      if ((await markIn(transaction)) === mark) return true;
      for (let looks = 0; looks < LOOKS; looks += 1) if ((await markIn(connection)) !== mark) return true;
      return false;
    });
    if (isShared)
      throw new Error(
        'DATABASE_URL leads to a connection pooler in transaction mode; leases of projections need session mode (pool_mode = session)',
      );
  });
