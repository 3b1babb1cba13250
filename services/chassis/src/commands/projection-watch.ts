import { setTimeout as delay } from 'node:timers/promises';
import {
  readersWaitSubject,
  passedSubject,
  projectedSubject,
  readModelProjections,
  type EventStreamName,
  type LogPosition,
  type PassedNotice,
  type ProjectedNotice,
  type ReadersWaitNotice,
} from '@continuo/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { READERS_WAIT_MS } from '../projections/waiting-readers.js';
import type { ProjectionWatch } from '../commands-client.js';
import type { Running } from '../running.js';

/** Committed positions by projection name, as the checkpoints say. */
export type ReadCheckpoints = () => Promise<ReadonlyMap<string, number>>;

const DEFAULT_TIMEOUT_MS = 1000;
/** Interval at which checkpoints are read when no notification has come: core NATS may lose them. */
const LOOK_AGAIN_MS = 150;
/** Pause before checkpoints are read again after a failed read. */
const AFTER_FAULT_MS = 300;
/** Interval for a database replica, which sends no notifications. */
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

/** Dependencies of the watch. */
export interface WatchOptions {
  /** The checkpoints are those of a replica, which is behind what the notices tell: only what they say counts. */
  readonly isReplica?: boolean;
}

/**
 * Knows how far the read-model projections are: from their notices, and from the checkpoint table for what was committed before this watch
 * listened or whose notice was lost. Over a replica, from its checkpoints alone.
 */
export class NatsProjectionWatch implements ProjectionWatch, Running {
  readonly #nats: NatsConnection;
  readonly #isReplica: boolean;
  readonly #readCheckpoints: ReadCheckpoints;
  readonly #log: Logger;
  readonly #subscriptions: readonly Subscription[];
  readonly #listening: Promise<void>;
  readonly #lookAgainMs: number;
  readonly #positions = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  /** Times at which it was said that a stream is waited for. */
  readonly #saidAt = new Map<EventStreamName, number>();
  #reading: Promise<void> | undefined;

  constructor(nats: NatsConnection, readCheckpoints: ReadCheckpoints, log: Logger, { isReplica = false }: WatchOptions = {}) {
    this.#nats = nats;
    this.#isReplica = isReplica;
    this.#readCheckpoints = readCheckpoints;
    this.#log = log;
    this.#subscriptions = isReplica ? [] : this.#listen(nats);
    this.#listening = isReplica ? Promise.resolve() : nats.flush();
    this.#lookAgainMs = isReplica ? LOOK_AT_REPLICA_MS : LOOK_AGAIN_MS;
  }

  async waitFor(positions: readonly LogPosition[], timeoutMs = DEFAULT_TIMEOUT_MS, { isPatient = false } = {}): Promise<boolean> {
    const wanted = positions.flatMap(({ stream, position }) =>
      readModelProjections[stream].map((projection) => ({ projection, position })),
    );
    if (this.#passed(wanted)) return true;
    if (!isPatient) for (const { stream } of positions) this.#sayWaiting(stream);
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

  /** Lets the projections of a stream know that it is waited for, now and then. */
  #sayWaiting(stream: EventStreamName): void {
    const now = performance.now();
    if (now - (this.#saidAt.get(stream) ?? Number.NEGATIVE_INFINITY) < READERS_WAIT_MS / 2 || this.#nats.isClosed()) return;
    this.#saidAt.set(stream, now);
    const notice: ReadersWaitNotice = { stream, seesCheckpointsOnly: this.#isReplica };
    this.#nats.publish(readersWaitSubject(stream), JSON.stringify(notice));
  }

  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions) if (!subscription.isClosed()) subscription.unsubscribe();
    await this.#reading;
  }

  #listen(nats: NatsConnection): Subscription[] {
    const listen = (subject: string, note: (message: Msg) => void): Subscription =>
      nats.subscribe(subject, {
        callback: (error, message) => {
          if (error) this.#log.error({ err: error }, 'failed to read notifications of the projections');
          else note(message);
        },
      });
    return [
      listen(projectedSubject('>'), (message) => this.#note(message.json<ProjectedNotice>())),
      listen(passedSubject('*'), (message) => {
        const { projections, position } = message.json<PassedNotice>();
        for (const projection of projections) this.#note({ projection, position });
      }),
    ];
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
      this.#log.warn({ err: error }, 'failed to read the checkpoints of the projections');
      await delay(AFTER_FAULT_MS);
    }
  }
}
