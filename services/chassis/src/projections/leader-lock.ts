import { sql, type Kysely } from 'kysely';
import { nextBeat } from '../every.js';

const HEARTBEAT_MS = 5000;
/** Postgres ends the connection of a holder that has been silent for so long (its process hangs, or its host is gone), which frees its locks. */
const SILENCE_MS = 15_000;

/**
 * Leader lease: a Postgres advisory lock. All leases of a pool share one connection and one heartbeat. A crashed leader loses them with the connection; one that does not respond keeps
 * them for 15 s.
 */
export class LeaderLock {
  readonly #lost = new AbortController();
  readonly #session: LeaseSession;
  readonly #key: string;

  /** Called by {@link LeaseSession} alone. */
  constructor(session: LeaseSession, key: string) {
    this.#session = session;
    this.#key = key;
  }

  /** Fires when the connection that carries the lock has died. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Takes the lock if nobody has it; never waits. */
  static tryAcquire(db: Kysely<unknown>, key: string): Promise<LeaderLock | undefined> {
    return LeaseSession.of(db).tryAcquire(key);
  }

  /** True when somebody holds the lock at this moment. */
  static async isHeld(db: Kysely<unknown>, key: string): Promise<boolean> {
    // Given back with the transaction: nobody else misses it for longer than that.
    const answer = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as got`.execute(db);
    return answer.rows[0]?.got !== true;
  }

  async release(): Promise<void> {
    await this.#session.release(this.#key);
  }

  /** Tells the holder; called by {@link LeaseSession} alone. */
  lose(reason: unknown): void {
    this.#lost.abort(reason);
  }
}

/** One connection of a pool that carries its leases; it goes back to the pool with the last of them. */
class LeaseSession {
  static readonly #open = new WeakMap<Kysely<unknown>, LeaseSession>();

  readonly #db: Kysely<unknown>;
  readonly #connected = Promise.withResolvers<Kysely<unknown>>();
  readonly #closing = new AbortController();
  /** Postgres gives a lock to the session that has it once more, so the keys are known here. */
  readonly #leases = new Map<string, LeaderLock>();
  readonly #held: Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #endsInSilence = false;

  private constructor(db: Kysely<unknown>) {
    this.#db = db;
    this.#held = db.connection().execute((connection) => this.#hold(connection));
    this.#held.catch((error: unknown) => this.#lose(error));
    // Nobody may be waiting for it; `#lose` has told the holders of leases.
    this.#connected.promise.catch(() => undefined);
  }

  static of(db: Kysely<unknown>): LeaseSession {
    const known = LeaseSession.#open.get(db) ?? new LeaseSession(db);
    LeaseSession.#open.set(db, known);
    return known;
  }

  async tryAcquire(key: string): Promise<LeaderLock | undefined> {
    if (this.#leases.has(key)) return undefined;
    const lease = new LeaderLock(this, key);
    this.#leases.set(key, lease);
    let got = false;
    try {
      got = await this.#inTurn(async (connection) => {
        const answer = await sql<{ got: boolean }>`select pg_try_advisory_lock(hashtextextended(${key}, 0)) as got`.execute(connection);
        if (answer.rows[0]?.got !== true) return false;
        if (!this.#endsInSilence) await sql`select set_config('idle_session_timeout', ${String(SILENCE_MS)}, false)`.execute(connection);
        this.#endsInSilence = true;
        return true;
      });
    } finally {
      if (!got) await this.#drop(key);
    }
    return got ? lease : undefined;
  }

  async release(key: string): Promise<void> {
    // When the connection has died there is nothing left to release, and `lost` has told the owner.
    if (this.#closing.signal.aborted) return;
    await Promise.allSettled([
      this.#inTurn((connection) => sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(connection)),
    ]);
    await this.#drop(key);
  }

  async #drop(key: string): Promise<void> {
    this.#leases.delete(key);
    if (this.#leases.size > 0) return;
    this.#close();
    await Promise.allSettled([this.#held]);
  }

  #close(): void {
    if (LeaseSession.#open.get(this.#db) === this) LeaseSession.#open.delete(this.#db);
    this.#closing.abort();
  }

  #lose(error: unknown): void {
    this.#close();
    this.#connected.reject(error);
    for (const lease of this.#leases.values()) lease.lose(error);
    this.#leases.clear();
  }

  /** One statement at a time: the connection is shared. */
  async #inTurn<T>(work: (connection: Kysely<unknown>) => Promise<T>): Promise<T> {
    const connection = await this.#connected.promise;
    const turn = this.#last.then(() => work(connection));
    // Its caller gets the error of a statement; the next statement goes on.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #hold(connection: Kysely<unknown>): Promise<void> {
    const { signal } = this.#closing;
    this.#connected.resolve(connection);
    while (!signal.aborted) {
      await nextBeat(HEARTBEAT_MS, signal);
      if (!signal.aborted) await this.#inTurn(() => sql`select 1`.execute(connection));
    }
    if (this.#endsInSilence)
      await this.#inTurn(() => sql`select pg_advisory_unlock_all(), set_config('idle_session_timeout', '0', false)`.execute(connection));
  }
}
