import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Running } from '../service.js';

const EVERY_MS = 3000;
/** Whoever looks in the middle of a restore looks once more. */
const LOOKS = 2;

/** Which database this is: of which cluster, and which one in it. Another one in the same place has another, whatever lies in it. */
export const databaseIdentity = async (db: Kysely<unknown>): Promise<string | undefined> => {
  try {
    const { rows } = await sql<{ identity: string }>`
      select (select system_identifier from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database()) as identity`.execute(
      db,
    );
    return rows[0]?.identity;
  } catch {
    // Whoever does not answer, or does not tell this account, is not another one.
    return undefined;
  }
};

/** What to do when the tables are lost; by default the process ends. */
type End = (fault: Error) => void;

/** Nobody catches it: the process ends, as with any other state that it cannot go on from. */
const endProcess: End = (fault) => {
  setImmediate(() => {
    throw fault;
  });
};

/**
 * Ends the process when the database answers and has no tables any more, or is another one than at the start: an empty one has taken its place, in which another service may have made
 * its tables already. A service makes its tables, and reads its numbers from the log, when it starts; whoever keeps it running starts it again, and everything is rebuilt from the streams.
 */
export class LostTablesWatch implements Running {
  readonly #timer: NodeJS.Timeout;
  readonly #end: End;
  #identity: string | undefined;
  #missed = 0;

  /** @param identity of the database as the service prepared it; undefined when it could not be had */
  constructor(db: Kysely<unknown>, log: Logger, identity: string | undefined, end: End = endProcess) {
    this.#identity = identity;
    this.#end = end;
    this.#timer = setInterval(() => {
      void this.#look(db, log);
    }, EVERY_MS);
    this.#timer.unref();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return Promise.resolve();
  }

  async #look(db: Kysely<unknown>, log: Logger): Promise<void> {
    const identity = await databaseIdentity(db);
    this.#identity ??= identity;
    const isAnother = identity !== undefined && identity !== this.#identity;
    this.#missed = isAnother || (await isEmpty(db)) ? this.#missed + 1 : 0;
    if (this.#missed < LOOKS) return;
    clearInterval(this.#timer);
    const fault = new Error('the database has been emptied: the tables are made and rebuilt from the event log at the next start');
    log.fatal(fault.message);
    this.#end(fault);
  }
}

/** A database that does not answer is not empty. */
const isEmpty = async (db: Kysely<unknown>): Promise<boolean> => {
  try {
    const { rows } = await sql<{ gone: boolean }>`select to_regclass('chassis.projection_checkpoint') is null as gone`.execute(db);
    return rows[0]?.gone === true;
  } catch {
    return false;
  }
};
