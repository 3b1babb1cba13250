import { jsonOf, onStatus, pause } from '@continuo/chassis';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm, type KV, type KvWatchEntry } from '@nats-io/kv';
import { nanos, type NatsConnection, type QueuedIterator } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { z } from 'zod';

/** Dependencies of a store in a JetStream bucket. */
export interface BucketStoreOptions {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly now: () => number;
  readonly replicas: number;
}

/** Options of a watched bucket. */
export interface WatchedBucketOptions extends Omit<BucketStoreOptions, 'now'> {
  readonly name: string;
  readonly description: string;
  /** Entries vanish this long after they were last written; 0 = never. */
  readonly ttlMs: number;
  /** Told of every entry, at first of those already there; `value` is undefined for a removed one. */
  readonly onEntry: (entry: BucketEntry) => void;
  /** Told that entries may have been missed: everything known is to be forgotten, all entries come again. */
  readonly onRestart: () => void;
}

/** One key of a bucket as it stands or as it was removed. */
export interface BucketEntry {
  readonly key: string;
  readonly value: string | undefined;
  readonly revision: number;
}

/** A JetStream bucket followed into memory. */
export interface WatchedBucket {
  readonly kv: KV;
  /** Reads one key from the stream's leader: what any gateway has written is there. */
  get(key: string): Promise<BucketEntry | undefined>;
  stop(): Promise<void>;
}

const RETRY_DELAY_MS = 250;
const DUPLICATE_WINDOW_MS = 120_000;

const openBucket = async ({ nats, name, description, replicas, ttlMs }: WatchedBucketOptions): Promise<KV> => {
  // Reads by any copy of the stream may be behind; misses are rare enough to ask the leader.
  const options = { history: 1, storage: 'file' as const, description, replicas, ttl: ttlMs, allow_direct: false };
  const kv = await new Kvm(jetstream(nats)).create(name, options);
  const { config } = (await kv.status()).streamInfo;
  if (config.max_age !== nanos(ttlMs)) {
    // The server refuses a window for duplicates that is longer than anything is kept.
    const duplicate_window = nanos(ttlMs === 0 ? DUPLICATE_WINDOW_MS : Math.min(ttlMs, DUPLICATE_WINDOW_MS));
    await (await jetstreamManager(nats)).streams.update(config.name, { max_age: nanos(ttlMs), duplicate_window });
  }
  return kv;
};

/** The value of an entry; undefined for one that is not there, and for one that another release or program wrote otherwise. */
export const parseEntry = <T>(schema: z.ZodType<T>, text: string | undefined): T | undefined =>
  text === undefined ? undefined : schema.safeParse(jsonOf(text)).data;

const textOf = (entry: { operation: string; string(): string }): string | undefined =>
  entry.operation === 'PUT' ? entry.string() : undefined;

/** Opens a bucket, creating it when it is missing, and follows it until it is stopped, through losses of the connection too. */
export const watchBucket = async (options: WatchedBucketOptions): Promise<WatchedBucket> => {
  const kv = await openBucket(options);
  const following = new Following(kv, options);
  const loop = following.run();
  return {
    kv,
    get: async (key) => {
      const entry = await kv.get(key);
      return entry ? { key, value: textOf(entry), revision: entry.revision } : undefined;
    },
    stop: async () => {
      following.stop();
      await loop;
    },
  };
};

class Following {
  private readonly stopping = new AbortController();
  private readonly unfollow: () => void;
  private watch: QueuedIterator<KvWatchEntry> | undefined;

  constructor(
    private readonly kv: KV,
    private readonly options: WatchedBucketOptions,
  ) {
    // A server that was gone has forgotten whom it was telling: waiting for the client's own check would take ten seconds.
    this.unfollow = onStatus(options.nats, 'reconnect', () => this.watch?.stop());
  }

  async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.options.onRestart();
      await this.follow().catch((err: unknown) => {
        if (!this.stopping.signal.aborted)
          this.options.log.warn({ err, bucket: this.options.name }, 'failed to watch a bucket; will retry');
      });
      await pause(RETRY_DELAY_MS, this.stopping.signal);
    }
  }

  stop(): void {
    this.stopping.abort();
    this.watch?.stop();
    this.unfollow();
  }

  private async follow(): Promise<void> {
    this.watch = await this.kv.watch();
    if (this.stopping.signal.aborted) this.watch.stop();
    for await (const entry of this.watch) this.options.onEntry({ key: entry.key, value: textOf(entry), revision: entry.revision });
  }
}
