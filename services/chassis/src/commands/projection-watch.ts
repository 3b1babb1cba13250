import { setTimeout as delay } from 'node:timers/promises';
import { projectedSubject, readModelProjections, type LogPosition, type ProjectedNotice } from '@continuo/contracts';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ProjectionWatch } from '../commands-client.js';
import type { Running } from '../service.js';

/** Committed positions by projection name, as the checkpoints say. */
export type ReadCheckpoints = () => Promise<ReadonlyMap<string, number>>;

const DEFAULT_TIMEOUT_MS = 1000;
/** Notices may be lost (core NATS); the checkpoints are looked at when none has come for so long. */
const LOOK_AGAIN_MS = 150;
/** How long nobody looks again at checkpoints that could not be read. */
const AFTER_FAULT_MS = 300;
/** Of a replica nobody tells when it has something. */
const LOOK_AT_REPLICA_MS = 15;

interface Waiter {
  readonly wanted: readonly { readonly projection: string; readonly position: number }[];
  readonly resolve: () => void;
}

/** Reads the checkpoints of the tables that readers see. */
export const checkpointReader =
  (db: Kysely<unknown>): ReadCheckpoints =>
  async () => {
    const found = await sql<{
      name: string;
      position: number;
    }>`select name, position from chassis.projection_checkpoint where state = 'live'`.execute(db);
    return new Map(found.rows.map(({ name, position }) => [name, position]));
  };

/** What a watch looks at. */
export interface WatchOptions {
  /** The checkpoints are those of a replica, which is behind what the notices tell: only what they say counts. */
  readonly isReplica?: boolean;
}

/**
 * Knows how far the read-model projections are: from their notices, and from the checkpoint table for what was committed before this watch
 * listened or whose notice was lost. Over a replica, from its checkpoints alone.
 */
export class NatsProjectionWatch implements ProjectionWatch, Running {
  readonly #readCheckpoints: ReadCheckpoints;
  readonly #log: Logger;
  readonly #subscription: Subscription | undefined;
  readonly #listening: Promise<void>;
  readonly #lookAgainMs: number;
  readonly #positions = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #reading: Promise<void> | undefined;

  constructor(nats: NatsConnection, readCheckpoints: ReadCheckpoints, log: Logger, { isReplica = false }: WatchOptions = {}) {
    this.#readCheckpoints = readCheckpoints;
    this.#log = log;
    this.#subscription = isReplica ? undefined : this.#listen(nats);
    this.#listening = isReplica ? Promise.resolve() : nats.flush();
    this.#lookAgainMs = isReplica ? LOOK_AT_REPLICA_MS : LOOK_AGAIN_MS;
  }

  async waitFor(positions: readonly LogPosition[], timeoutMs = DEFAULT_TIMEOUT_MS): Promise<boolean> {
    const wanted = positions.flatMap(({ stream, position }) =>
      readModelProjections[stream].map((projection) => ({ projection, position })),
    );
    if (this.#passed(wanted)) return true;
    const passed = Promise.withResolvers<boolean>();
    const waiter: Waiter = { wanted, resolve: () => passed.resolve(true) };
    this.#waiters.add(waiter);
    const expiry = setTimeout(() => passed.resolve(this.#passed(wanted)), timeoutMs);
    const look = setInterval(() => void this.#look(), this.#lookAgainMs);
    // Never heard of: it may have committed before this watch listened.
    if (wanted.some(({ projection }) => !this.#positions.has(projection))) void this.#look();
    try {
      return await passed.promise;
    } finally {
      clearTimeout(expiry);
      clearInterval(look);
      this.#waiters.delete(waiter);
    }
  }

  async stop(): Promise<void> {
    if (this.#subscription?.isClosed() === false) this.#subscription.unsubscribe();
    await this.#reading;
  }

  #listen(nats: NatsConnection): Subscription {
    return nats.subscribe(projectedSubject('>'), {
      callback: (error, message) => {
        if (error) this.#log.error({ err: error }, 'the notices of the projections cannot be read');
        else this.#note(message.json<ProjectedNotice>());
      },
    });
  }

  #passed(wanted: Waiter['wanted']): boolean {
    return wanted.every(({ projection, position }) => (this.#positions.get(projection) ?? -1) >= position);
  }

  #note({ projection, position }: Pick<ProjectedNotice, 'projection' | 'position'>): void {
    if ((this.#positions.get(projection) ?? -1) >= position) return;
    this.#positions.set(projection, position);
    for (const waiter of this.#waiters) if (this.#passed(waiter.wanted)) waiter.resolve();
  }

  /** One read of the checkpoints at a time, for all who wait. */
  #look(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      await this.#listening;
      for (const [projection, position] of await this.#readCheckpoints()) this.#note({ projection, position });
    } catch (error) {
      this.#log.warn({ err: error }, 'the checkpoints of the projections cannot be read');
      await delay(AFTER_FAULT_MS);
    }
  }
}
