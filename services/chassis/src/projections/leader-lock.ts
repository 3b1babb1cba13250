import { sql, type Kysely } from 'kysely';
import { pause } from './pause.js';

const HEARTBEAT_MS = 1000;
/** A holder that says nothing for so long stands still, or its host is gone without a word: Postgres ends its connection, and the lock is free. */
const SILENCE_MS = 15_000;

/**
 * A Postgres advisory lock on a connection of its own: it is gone as soon as the holder's connection is, so a crashed owner needs no time-out.
 * One that stands still keeps it for a quarter of a minute.
 */
export class LeaderLock {
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  #held: Promise<void> = Promise.resolve();

  private constructor() {}

  /** Fires when the connection that carries the lock has died. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Takes the lock if nobody has it; never waits. */
  static async tryAcquire(db: Kysely<unknown>, key: string): Promise<LeaderLock | undefined> {
    const lock = new LeaderLock();
    const acquired = Promise.withResolvers<boolean>();
    lock.#held = db.connection().execute(async (connection) => {
      const answer = await sql<{
        got: boolean;
      }>`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as got`.execute(connection);
      const got = answer.rows[0]?.got === true;
      acquired.resolve(got);
      if (got) await lock.#hold(connection, key);
    });
    lock.#held.catch((error: unknown) => {
      lock.#lost.abort(error);
      acquired.reject(error);
    });
    return (await acquired.promise) ? lock : undefined;
  }

  /** Whether somebody has the lock at this moment. */
  static async isHeld(db: Kysely<unknown>, key: string): Promise<boolean> {
    // Given back with the transaction: nobody else misses it for longer than that.
    const answer = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as got`.execute(db);
    return answer.rows[0]?.got !== true;
  }

  async release(): Promise<void> {
    this.#released.abort();
    // When the connection has died there is nothing left to release, and `lost` has told the owner.
    await Promise.allSettled([this.#held]);
  }

  async #hold(connection: Kysely<unknown>, key: string): Promise<void> {
    await sql`select set_config('idle_session_timeout', ${String(SILENCE_MS)}, false)`.execute(connection);
    while (!this.#released.signal.aborted) {
      await pause(HEARTBEAT_MS, this.#released.signal);
      if (!this.#released.signal.aborted) await sql`select 1`.execute(connection);
    }
    await sql`select pg_advisory_unlock(hashtextextended(${key}, 0)), set_config('idle_session_timeout', '0', false)`.execute(connection);
  }
}
