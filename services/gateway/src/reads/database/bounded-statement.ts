import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ReadModel } from '@continuo/contracts';
import type { ReadDatabase } from './database.js';

/** The state of an error of the database; empty for others. */
export const sqlStateOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Out of memory, and an allocation that was refused, which has no state of its own. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set(['53200', 'XX000']);

/** True for an error of a statement that wanted more memory than the database gives. */
export const isOutOfMemory = (error: unknown): boolean => OUT_OF_MEMORY.has(sqlStateOf(error));

/** Ends a connection from its own side, and waits until it is gone: the pool opens another when it needs one. */
const end = async (connection: Kysely<ReadModel>): Promise<void> => {
  // The first is answered by the end that it asks for; the second fails when the connection is known to be closed.
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection).catch(() => undefined);
  await sql`select 1`.execute(connection).catch(() => undefined);
};

/**
 * Runs a statement whose cost a client has chosen, for so long at most. A connection whose process has grown for it does not go back to the pool: the database keeps
 * the memory of compiled expressions as long as the process lives.
 */
export const runBounded = <T>(db: ReadDatabase, statement: RawBuilder<T>, timeoutMs: number): Promise<T[]> =>
  db.connection().execute(async (connection) => {
    try {
      return await connection.transaction().execute(async (transaction) => {
        await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
        return (await statement.execute(transaction)).rows;
      });
    } catch (error) {
      if (isOutOfMemory(error)) await end(connection);
      throw error;
    }
  });
