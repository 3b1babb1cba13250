import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { every } from '../every.js';
import type { Running } from '../running.js';
import { endProcess } from './end-process.js';

const EVERY_MS = 5000;
const PATIENCE_MS = 3000;
/** Number of looks before tables count as lost: one look may fall into the middle of a restore. */
const LOOKS = 2;

/** Identity of the database: its cluster, and its id in it. An empty database in the same place has another one. */
export const databaseIdentity = async (db: Kysely<unknown>): Promise<string | undefined> => {
  try {
    return (await lookAsAllowed(db)).identity;
  } catch {
    // Whoever does not answer is not another one.
    return undefined;
  }
};

interface Seen {
  /** Undefined where this account may not be told. */
  readonly identity: string | undefined;
  readonly gone: boolean;
}

/** `insufficient_privilege` of Postgres (appendix A of its handbook): managed servers keep what they tell of their cluster to themselves. */
const NO_PRIVILEGE = '42501';
const IDENTITY = sql<string>`(select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database())`;

const lookAt = async (db: Kysely<unknown>, identity = IDENTITY): Promise<Seen> => {
  const { rows } = await sql<{ identity: string | null; gone: boolean }>`
    select ${identity} as identity, not exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'chassis' and c.relname = 'projection_checkpoint'
    ) as gone`.execute(db);
  const [seen] = rows;
  if (!seen) throw new Error('the database says nothing of itself');
  return { ...seen, identity: seen.identity ?? undefined };
};

const isForbidden = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === NO_PRIVILEGE;

const lookAsAllowed = (db: Kysely<unknown>): Promise<Seen> =>
  lookAt(db).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    return lookAt(db, sql<string>`null::text`);
  });

/** Called when the tables are lost; by default the process ends. */
type End = (fault: Error) => void;

/** Options of a watch. */
export interface DatabaseWatchOptions {
  readonly db: Kysely<unknown>;
  readonly log: Logger;
  /** Of the database as the service prepared it; undefined when it could not be had. */
  readonly identity: string | undefined;
  readonly end?: End;
}

/**
 * Follows whether the database answers, with one statement now and then; services that share their connections share the watch.
 * Ends the process when the database answers and has no tables any more, or is another one than at the start: an empty one has taken its place, in which another service may have made
 * its tables already. A service makes its tables, and reads its numbers from the log, when it starts; whoever keeps it running starts it again, and everything is rebuilt from the streams.
 */
export class DatabaseWatch implements Running {
  static readonly #running = new WeakMap<Kysely<unknown>, DatabaseWatch>();

  readonly #db: Kysely<unknown>;
  readonly #log: Logger;
  readonly #end: End;
  readonly #endLooks: () => void;
  #identity: string | undefined;
  #isAnswering = true;
  #isLooking = false;
  #missed = 0;
  #users = 0;

  private constructor({ db, log, identity, end = endProcess }: DatabaseWatchOptions) {
    this.#db = db;
    this.#log = log;
    this.#identity = identity;
    this.#end = end;
    this.#endLooks = every(EVERY_MS, () => this.#look());
  }

  /** The watch over these connections, which runs until whoever began it or joined it has stopped it. */
  static over(options: DatabaseWatchOptions): DatabaseWatch {
    const watch = DatabaseWatch.#running.get(options.db) ?? new DatabaseWatch(options);
    DatabaseWatch.#running.set(options.db, watch);
    watch.#users += 1;
    return watch;
  }

  /** False while the database does not answer within three seconds. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  stop(): Promise<void> {
    this.#users -= 1;
    if (this.#users === 0) {
      this.#endLooks();
      DatabaseWatch.#running.delete(this.#db);
    }
    return Promise.resolve();
  }

  async #look(): Promise<void> {
    // A statement that never ends must not be joined by others.
    if (this.#isLooking) return;
    this.#isLooking = true;
    const late = setTimeout(() => (this.#isAnswering = false), PATIENCE_MS);
    try {
      const { identity, gone } = await lookAsAllowed(this.#db);
      this.#isAnswering = true;
      this.#identity ??= identity;
      this.#noteLoss(gone || (identity !== undefined && identity !== this.#identity));
    } catch {
      // Readiness says so; a database that does not answer is not empty.
      this.#isAnswering = false;
      this.#missed = 0;
    } finally {
      clearTimeout(late);
      this.#isLooking = false;
    }
  }

  #noteLoss(isLost: boolean): void {
    this.#missed = isLost ? this.#missed + 1 : 0;
    if (this.#missed < LOOKS) return;
    this.#endLooks();
    const fault = new Error('the database has been emptied: the tables are made and rebuilt from the event log at the next start');
    this.#log.fatal(fault.message);
    this.#end(fault);
  }
}
