import { z } from 'zod';
import type { FailureCount, FailureCounters } from './login-throttle.js';
import { parseEntry, watchBucket, type BucketEntry, type BucketStoreOptions, type WatchedBucket } from '../sessions/watched-bucket.js';

/** Options of the counters. */
export interface FailureCountersOptions extends BucketStoreOptions {
  /** Failures are counted over this time. */
  readonly windowMs: number;
}

/** Counters in a bucket, with the means to let go of it. */
export interface OpenFailureCounters extends FailureCounters {
  close(): Promise<void>;
}

const BUCKET = 'login_failures';
const WRITE_TRIES = 8;

const storedCount = z.object({ firstAtMs: z.number(), count: z.number() });

/** Opens the failure counters kept in the JetStream bucket `login_failures`. */
export const jetStreamFailureCounters = async (options: FailureCountersOptions): Promise<OpenFailureCounters> => {
  const counters = new JetStreamFailureCounters(options);
  await counters.start();
  return counters;
};

class JetStreamFailureCounters implements OpenFailureCounters {
  private readonly counts = new Map<string, FailureCount>();
  private bucket!: WatchedBucket;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly options: FailureCountersOptions) {}

  async start(): Promise<void> {
    const { windowMs } = this.options;
    this.bucket = await watchBucket({
      ...this.options,
      name: BUCKET,
      description: 'Failed logins by account and by address',
      ttlMs: windowMs,
      onEntry: (entry) => this.take(entry),
      // What was counted here stays counted: a lost connection must not give anybody further tries.
      onRestart: () => undefined,
    });
    this.sweeping = setInterval(() => this.sweep(), windowMs);
    this.sweeping.unref();
  }

  peek(key: string): FailureCount | undefined {
    return this.alive(this.counts.get(key));
  }

  async add(key: string): Promise<void> {
    const next = this.plusOne(this.peek(key));
    // Counted before anything is awaited, so that a thousand simultaneous tries are no more than the limit.
    this.counts.set(key, next);
    try {
      await this.write(key);
    } catch (err) {
      this.options.log.warn({ err }, 'failed to publish a failed login to the other gateways');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.sweeping);
    await this.bucket.stop();
  }

  private alive(count: FailureCount | undefined): FailureCount | undefined {
    return count && count.firstAtMs + this.options.windowMs > this.options.now() ? count : undefined;
  }

  private plusOne(count: FailureCount | undefined): FailureCount {
    return count ? { ...count, count: count.count + 1 } : { firstAtMs: this.options.now(), count: 1 };
  }

  private async write(key: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const entry = await this.bucket.get(key);
      const value = JSON.stringify(this.plusOne(this.alive(parseEntry(storedCount, entry?.value))));
      try {
        await (entry ? this.bucket.kv.update(key, value, entry.revision) : this.bucket.kv.create(key, value));
        // The next try here counts what other gateways have counted, though the notice of it may come later.
        this.take({ key, value });
        return;
      } catch (error) {
        if (attempt === WRITE_TRIES) throw error;
      }
    }
  }

  private take({ key, value }: Pick<BucketEntry, 'key' | 'value'>): void {
    const told = this.alive(parseEntry(storedCount, value));
    const known = this.peek(key);
    if (told && told.count > (known?.count ?? 0)) this.counts.set(key, told);
  }

  private sweep(): void {
    for (const [key, count] of this.counts) if (!this.alive(count)) this.counts.delete(key);
  }
}
