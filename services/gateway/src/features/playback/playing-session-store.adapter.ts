import { createHash } from 'node:crypto';
import { Rejection } from '@continuo/contracts';
import {
  parseEntry,
  watchBucket,
  type BucketEntry,
  type BucketStoreOptions,
  type WatchedBucket,
} from '../../auth/sessions/watched-bucket.js';
import { PlayingSessions, type Player, type PlayingSessionStore } from './playing-session-store.js';
import { playingSession, isReporting, type PlayingSession } from './playing-session.js';

const BUCKET = 'now_playing';
const DAY_MS = 86_400_000;
const SWEEP_MS = 600_000;
const TRIES = 6;
const DIGEST_LENGTH = 22;

/** Bucket key of a client; the name is hashed because it may hold any characters and be long. */
const keyOf = ({ userId, client }: Player): string =>
  `${userId}.${createHash('sha256').update(client).digest('base64url').slice(0, DIGEST_LENGTH)}`;

/** Opens the store in the JetStream bucket `now_playing`: one entry per client of an account, written when its playback changes. */
export const jetStreamPlaying = async (options: BucketStoreOptions): Promise<PlayingSessionStore> => {
  const store = new JetStreamPlaying(options);
  await store.start();
  return store;
};

interface Known {
  readonly session: PlayingSession | undefined;
  /** 0 for a key that was never written. */
  readonly revision: number;
}

class JetStreamPlaying implements PlayingSessionStore {
  private readonly sessions = new PlayingSessions();
  private readonly entries = new Map<string, Known>();
  private bucket!: WatchedBucket;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly options: BucketStoreOptions) {}

  async start(): Promise<void> {
    this.bucket = await watchBucket({
      ...this.options,
      name: BUCKET,
      description: 'What clients say that they play',
      ttlMs: DAY_MS,
      onEntry: (entry) => this.take(entry),
      // Known sessions stay until the entries arrive again.
      onRestart: () => undefined,
    });
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeping.unref();
  }

  of(player: Player): PlayingSession | undefined {
    return this.sessions.get(player);
  }

  all(userId?: number): PlayingSession[] {
    return this.sessions.all(userId);
  }

  isReporting(player: Player): boolean {
    const known = this.of(player);
    return known !== undefined && isReporting(known, this.options.now());
  }

  async change(player: Player, change: (known: PlayingSession | undefined) => Promise<PlayingSession | undefined>): Promise<void> {
    const key = keyOf(player);
    let failure: unknown;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      // A client unknown here may have reported to another gateway a moment ago.
      const known = (attempt === 1 ? this.entries.get(key) : undefined) ?? (await this.fresh(key));
      const next = await change(known.session);
      if (!next) return;
      try {
        await this.write(key, next, known.revision);
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw new Rejection('unavailable', 'what is playing cannot be noted at the moment', undefined, { cause: failure });
  }

  async close(): Promise<void> {
    clearInterval(this.sweeping);
    await this.bucket.stop();
  }

  private async fresh(key: string): Promise<Known> {
    try {
      const entry = await this.bucket.get(key);
      return entry ? { session: parseEntry(playingSession, entry.value), revision: entry.revision } : { session: undefined, revision: 0 };
    } catch (error) {
      throw new Rejection('unavailable', 'what is playing is not known at the moment', undefined, { cause: error });
    }
  }

  private async write(key: string, next: PlayingSession, revision: number): Promise<void> {
    const { kv } = this.bucket;
    const oldest = this.sessions.crowdedOut(next);
    const text = JSON.stringify(next);
    const written = await (revision === 0 ? kv.create(key, text) : kv.update(key, text, revision));
    this.take({ key, value: text, revision: written });
    if (oldest) await kv.delete(keyOf(oldest));
  }

  private take({ key, value, revision }: BucketEntry): void {
    const before = this.entries.get(key);
    // The store's own writes come back, sometimes after a newer one.
    if (before && before.revision >= revision) return;
    const session = parseEntry(playingSession, value);
    if (session) this.sessions.set(session);
    else if (before?.session) this.sessions.delete(before.session);
    if (session) this.entries.set(key, { session, revision });
    else this.entries.delete(key);
  }

  private sweep(): void {
    const nowMs = this.options.now();
    for (const [key, { session }] of this.entries) {
      if (!session || isReporting(session, nowMs)) continue;
      this.sessions.delete(session);
      this.entries.delete(key);
    }
  }
}
