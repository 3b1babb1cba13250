import { nextBeat, pause, type Running } from '@continuo/chassis';
import { readModelVersions } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';

/** Interval of looks while something is missing, and while nothing is. */
const EVERY_MS = 1000;
const WHILE_READY_MS = 10_000;
const SHOWN = 3;

/** Services that a server may do without; what they know is left out then. */
const MAY_BE_ABSENT = /^(?:sonic|transcoding)-/;

/** Returns the tables of this release that are missing; empty when calls can be answered. */
export const missingTables = (
  live: ReadonlyMap<string, number>,
  wanted: Readonly<Record<string, number>> = readModelVersions,
): readonly string[] =>
  Object.entries(wanted).flatMap(([name, version]) => {
    const found = live.get(name);
    if (found === undefined) return MAY_BE_ABSENT.test(name) ? [] : [`${name} is not there`];
    return found < version ? [`${name} has version ${found} of ${version}`] : [];
  });

/**
 * Follows whether the published read model has what this release was made for. Its owners fill the tables of a new release beside those of the one before; a gateway that was started too
 * early says so, and is given no callers, while gateways of the release before go on.
 */
export class ReadModelReadiness implements Running {
  readonly #db: Kysely<unknown>;
  readonly #log: Logger;
  readonly #afterLook: () => Promise<void>;
  readonly #stopped = new AbortController();
  readonly #looking: Promise<void>;
  #state = 'not looked at yet';
  #look: Promise<void> | undefined;

  /**
   * @param db may read the checkpoints
   * @param afterLook rare work that needs no timer of its own then; it throws nothing
   */
  constructor(db: Kysely<unknown>, log: Logger, afterLook: () => Promise<void> = async () => undefined) {
    this.#db = db;
    this.#log = log;
    this.#afterLook = afterLook;
    this.#looking = this.#lookOn();
  }

  /** `ok`, or what is missing. */
  get state(): string {
    return this.#state;
  }

  /** Looks now; one look at a time. */
  look(): Promise<void> {
    this.#look ??= this.#read()
      .then(() => (this.#state === 'ok' ? this.#afterLook() : undefined))
      .finally(() => {
        this.#look = undefined;
      });
    return this.#look;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#looking;
  }

  async #lookOn(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await (this.#state === 'ok' ? nextBeat(WHILE_READY_MS, signal) : pause(EVERY_MS, signal));
      if (!signal.aborted) await this.look();
    }
  }

  async #read(): Promise<void> {
    const before = this.#state;
    try {
      const { rows } = await sql<{ name: string; version: number }>`
        select name, version from chassis.projection_checkpoint where state = 'live'`.execute(this.#db);
      const missing = missingTables(new Map(rows.map(({ name, version }) => [name, version])));
      this.#state = missing.length === 0 ? 'ok' : sentenceOf(missing);
    } catch (error) {
      this.#state = 'the read model cannot be read yet';
      this.#log.debug({ err: error }, 'the read model is not there yet');
    }
    if (this.#state !== before) this.#log.info({ readModel: this.#state }, 'the read model');
  }
}

const sentenceOf = (missing: readonly string[]): string => {
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  return `tables of this release are being filled: ${missing.slice(0, SHOWN).join(', ')}${more}`;
};
