import { DATABASE, EVENT_STORE, LOG, NotYetReady, type EventStore, type ServiceDependencies } from '@continuo/chassis';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { restoreIdentities } from './restore.js';

const POLL_MS = 25;
const FAULT_DELAY_MS = 250;
/** Time that a command waits here for a catalogue that is about to be ready, before another replica is asked. */
const PATIENCE_MS = 500;
/** Every projection that tells which ids were given. */
const PROJECTIONS = ['library-catalogue', 'library-videos'];

/**
 * Holds commands back until the registry of ids is known to cover everything that the log holds. After a loss of Postgres the catalogue is
 * projected anew first and the registry restored from it; giving ids before that could give one twice.
 */
export class CatalogueReadiness implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #db: Kysely<unknown>;
  readonly #store: EventStore;
  readonly #log: ServiceDependencies['log'];
  readonly #prepared = Promise.withResolvers<void>();
  #isReady = false;
  #stopped = false;
  #preparing: Promise<void> | undefined;

  constructor(@Inject(DATABASE) db: Kysely<unknown>, @Inject(EVENT_STORE) store: EventStore, @Inject(LOG) log: ServiceDependencies['log']) {
    this.#db = db;
    this.#store = store;
    this.#log = log;
  }

  /** Returns when commands may be handled. @throws NotYetReady when that takes too long. */
  async ready(): Promise<void> {
    if (this.#isReady) return;
    await Promise.race([this.#prepared.promise, delay(PATIENCE_MS)]);
    if (!this.#isReady) throw new NotYetReady('the library is still reading its log');
  }

  /** Waits for the catalogue and restores what the registry lacks; returns when commands may come. A server that is away is waited for. */
  async prepare(): Promise<void> {
    while (!this.#stopped && !this.#isReady) {
      try {
        await this.#restore();
      } catch (error) {
        this.#log.warn({ err: error }, 'failed to prepare the id registry, trying again');
        await delay(FAULT_DELAY_MS);
      }
    }
  }

  onApplicationBootstrap(): void {
    this.#preparing = this.prepare();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop();
    await this.#preparing;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #restore(): Promise<void> {
    const target = await this.#store.lastPosition('library');
    while (!this.#stopped && (await this.#projected()) < target) await delay(POLL_MS);
    if (this.#stopped) return;
    const restored = await restoreIdentities(this.#db);
    if (restored > 0) this.#log.info({ restored }, 'identities restored from the catalogue');
    this.#isReady = true;
    this.#prepared.resolve();
  }

  async #projected(): Promise<number> {
    const found = await sql<{ position: number }>`
      select position from chassis.projection_checkpoint where name = any(${PROJECTIONS}) and state = 'live'`.execute(this.#db);
    return found.rows.length < PROJECTIONS.length ? -1 : Math.min(...found.rows.map(({ position }) => position));
  }
}
