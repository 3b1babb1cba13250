import { userId, type UserId } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { LastSeen } from './last-seen.js';
import { watchBucket, type BucketEntry, type WatchedBucket } from './watched-bucket.js';

/** What it works with. */
export interface LastSeenOptions {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly now: () => number;
  readonly replicas: number;
}

const BUCKET = 'last_seen';
const MINUTE_MS = 60_000;

/** Opens what is kept in the JetStream bucket `last_seen`: one small entry per account, written once a minute at most. */
export const jetStreamLastSeen = async (options: LastSeenOptions): Promise<LastSeen & { close(): Promise<void> }> => {
  const seen = new JetStreamLastSeen(options);
  await seen.start();
  return seen;
};

class JetStreamLastSeen implements LastSeen {
  private readonly seen = new Map<UserId, number>();
  private readonly writing = new Set<Promise<unknown>>();
  private bucket!: WatchedBucket;

  constructor(private readonly options: LastSeenOptions) {}

  async start(): Promise<void> {
    const { nats, log, replicas } = this.options;
    this.bucket = await watchBucket({
      nats,
      log,
      replicas,
      name: BUCKET,
      description: 'When accounts were last seen',
      ttlMs: 0,
      onEntry: (entry) => this.take(entry),
      // What is known stays true, if not the latest.
      onRestart: () => undefined,
    });
  }

  note(id: UserId): void {
    const nowMs = this.options.now();
    const before = this.seen.get(id);
    if (before !== undefined && nowMs - before < MINUTE_MS) return;
    this.seen.set(id, nowMs);
    const written = this.bucket.kv.put(String(id), String(nowMs)).catch((err: unknown) => {
      this.options.log.debug({ err }, 'when an account was last seen could not be kept');
    });
    this.writing.add(written);
    void written.finally(() => this.writing.delete(written));
  }

  atMs(id: UserId): number | undefined {
    return this.seen.get(id);
  }

  async close(): Promise<void> {
    await Promise.all(this.writing);
    await this.bucket.stop();
  }

  private take({ key, value }: BucketEntry): void {
    const [id, atMs] = [userId.safeParse(Number(key)), Number(value)];
    if (id.success && value !== undefined && atMs > (this.seen.get(id.data) ?? 0)) this.seen.set(id.data, atMs);
  }
}
