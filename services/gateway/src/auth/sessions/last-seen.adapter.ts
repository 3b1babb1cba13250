import type { UserId } from '@continuo/contracts';
import type { LastSeen } from './last-seen.js';
import { watchBucket, type BucketEntry, type BucketStoreOptions, type WatchedBucket } from './watched-bucket.js';

const BUCKET = 'last_seen';
const MINUTE_MS = 60_000;
/** Entries of accounts are called by their numbers, those of keys so and by their ids. */
const KEY_PREFIX = 'key.';
const ENTRY = /^(?:[1-9]\d{0,15}|key\.[a-z0-9]{1,64})$/;

/** Opens what is kept in the JetStream bucket `last_seen`: one small entry per account and API key, written once a minute at most. */
export const jetStreamLastSeen = async (options: BucketStoreOptions): Promise<LastSeen & { close(): Promise<void> }> => {
  const seen = new JetStreamLastSeen(options);
  await seen.start();
  return seen;
};

class JetStreamLastSeen implements LastSeen {
  private readonly seen = new Map<string, number>();
  private readonly writing = new Set<Promise<unknown>>();
  private bucket!: WatchedBucket;

  constructor(private readonly options: BucketStoreOptions) {}

  async start(): Promise<void> {
    this.bucket = await watchBucket({
      ...this.options,
      name: BUCKET,
      description: 'When accounts were last seen',
      ttlMs: 0,
      onEntry: (entry) => this.take(entry),
      // What is known stays true, if not the latest.
      onRestart: () => undefined,
    });
  }

  note(id: UserId): void {
    this.noteEntry(String(id));
  }

  noteKey(keyId: string): void {
    this.noteEntry(`${KEY_PREFIX}${keyId}`);
  }

  private noteEntry(entry: string): void {
    const nowMs = this.options.now();
    const before = this.seen.get(entry);
    if ((before !== undefined && nowMs - before < MINUTE_MS) || !ENTRY.test(entry)) return;
    this.seen.set(entry, nowMs);
    const written = this.bucket.kv.put(entry, String(nowMs)).catch((err: unknown) => {
      this.options.log.debug({ err }, 'failed to store when an account or a key was last seen');
    });
    this.writing.add(written);
    void written.finally(() => this.writing.delete(written));
  }

  atMs(id: UserId): number | undefined {
    return this.seen.get(String(id));
  }

  keyAtMs(keyId: string): number | undefined {
    return this.seen.get(`${KEY_PREFIX}${keyId}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.writing);
    await this.bucket.stop();
  }

  private take({ key, value }: BucketEntry): void {
    const atMs = Number(value);
    if (ENTRY.test(key) && value !== undefined && atMs > (this.seen.get(key) ?? 0)) this.seen.set(key, atMs);
  }
}
