import { onStatus } from '@continuo/chassis';
import { projectedSubject, Rejection } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';

/** Options of {@link SnapshotReader}. */
export interface SnapshotReaderOptions<T> {
  /** Makes a snapshot of what the read model says now. */
  readonly read: () => Promise<T>;
  /** Name of the data in log messages: `the accounts`. */
  readonly what: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** After a noticed change that cannot be read: refuse rather than judge by what is known to be old, or go on with it. */
  readonly unreadable: 'refuse' | 'keep';
  /** Told of each fresh snapshot. */
  readonly onFresh?: ((snapshot: T) => void) | undefined;
  /** Snapshots older than this are renewed beside the requests, in case a notice was lost. */
  readonly maxAgeMs?: number | undefined;
}

interface Loaded<T> {
  readonly snapshot: T;
  /** Number of changes noticed before the read began. */
  readonly change: number;
  readonly atMs: number;
}

const MAX_AGE_MS = 30_000;

/** Keeps a part of the read model in memory, so that a request costs no statement. After a noticed change every request waits for a fresh snapshot. */
export class SnapshotReader<T> {
  readonly #options: SnapshotReaderOptions<T>;
  #loaded: Loaded<T> | undefined;
  #loading: Promise<Loaded<T>> | undefined;
  #change = 0;

  constructor(options: SnapshotReaderOptions<T>) {
    this.#options = options;
  }

  /** Tells that something has changed. Where somebody is told of fresh snapshots, one is read without waiting for a request. */
  noteChange(): void {
    this.#change += 1;
    if (this.#options.onFresh) this.#renewBeside();
  }

  /** The latest snapshot without waiting, when nothing is known to be newer. */
  peek(): T | undefined {
    return this.#loaded?.change === this.#change ? this.#loaded.snapshot : undefined;
  }

  /**
   * A snapshot that contains every noticed change.
   * @throws Rejection `unavailable` when it cannot be read; where the last known one is kept, when there was none yet
   */
  async current(): Promise<T> {
    const { now, maxAgeMs = MAX_AGE_MS } = this.#options;
    if (this.#loaded?.change === this.#change) {
      if (now() - this.#loaded.atMs > maxAgeMs) this.#renewBeside();
      return this.#loaded.snapshot;
    }
    const wanted = this.#change;
    try {
      let fresh = await this.#load();
      // The reading that was under way may have begun before the change.
      while (fresh.change < wanted) fresh = await this.#load();
      return fresh.snapshot;
    } catch (cause) {
      return this.#withoutFresh(cause);
    }
  }

  #withoutFresh(cause: unknown): T {
    const { unreadable, what, log } = this.#options;
    if (unreadable === 'refuse' || !this.#loaded) throw new Rejection('unavailable', `${what} cannot be read`, undefined, { cause });
    log.warn({ err: cause }, `${what} could not be read; the last known ones stay in use`);
    return this.#loaded.snapshot;
  }

  #renewBeside(): void {
    this.#load().catch((err: unknown) => {
      this.#options.log.warn({ err }, `${this.#options.what} failed to reload; the last known ones stay in use`);
    });
  }

  #load(): Promise<Loaded<T>> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Loaded<T>> {
    const { read, now, onFresh } = this.#options;
    const change = this.#change;
    const loaded = { snapshot: await read(), change, atMs: now() };
    this.#loaded = loaded;
    onFresh?.(loaded.snapshot);
    return loaded;
  }
}

/** Tells a reader of every commit of some projections; a lost connection counts as a change, because notices may have been lost with it. */
export const followProjections = (
  nats: NatsConnection,
  projections: readonly string[],
  reader: { readonly noteChange: () => void },
): (() => void) => {
  const subscriptions = projections.map((projection) =>
    nats.subscribe(projectedSubject(projection), { callback: () => reader.noteChange() }),
  );
  const unfollow = onStatus(nats, 'reconnect', () => reader.noteChange());
  return () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
    unfollow();
  };
};
