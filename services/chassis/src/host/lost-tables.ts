import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Running } from '../service.js';

const EVERY_MS = 3000;
/** Whoever looks in the middle of a restore looks once more. */
const LOOKS = 2;

/**
 * Ends the process when the database answers and has no tables any more: another, empty one has taken its place. A service makes its tables, and reads its numbers from the log, when it
 * starts; whoever keeps it running starts it again, and everything is rebuilt from the streams.
 */
export class LostTablesWatch implements Running {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;

  constructor(db: Kysely<unknown>, log: Logger) {
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
    this.#missed = (await isEmpty(db)) ? this.#missed + 1 : 0;
    if (this.#missed < LOOKS) return;
    clearInterval(this.#timer);
    const fault = new Error('the database has been emptied: the tables are made and rebuilt from the event log at the next start');
    log.fatal(fault.message);
    // Nobody catches it: the process ends, as with any other state that it cannot go on from.
    setImmediate(() => {
      throw fault;
    });
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
