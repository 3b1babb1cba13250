import { isRevisionConflict } from '@continuo/chassis';
import { Rejection, userId, type UserId } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { SessionKey } from './session-key.js';
import type { NewSession, SessionRecord, SessionStore } from './session-store.js';
import { parseEntry, watchBucket, type BucketEntry, type BucketStoreOptions, type WatchedBucket } from './watched-bucket.js';
import { atMost } from '../../server/at-most.js';

/** Options of the store. */
export interface SessionStoreOptions extends BucketStoreOptions {
  /** Lifetime after the last use; 0 = for ever. */
  readonly lifetimeMs: number;
  /** Interval in which session extensions are written, ms. */
  readonly flushEveryMs?: number;
}

const BUCKET = 'sessions';
const FLUSH_EVERY_MS = 1000;
const SWEEP_EVERY_MS = 60_000;
/** Sessions that are over whose versions are remembered. */
const REMEMBERED_VERSIONS = 20_000;

const storedRecord = z.object({
  userId,
  apiKeyId: z.string().optional(),
  version: z.string(),
  client: z.string(),
  openedAtMs: z.number().optional(),
  geo: z.object({ latitude: z.number().optional(), longitude: z.number().optional(), name: z.string().optional() }).optional(),
  web: z.object({ by: z.enum(['password', 'provider', 'proxy']), sealedIdToken: z.string().optional() }).optional(),
  expiresAtMs: z.number().nullable(),
});

interface Known {
  readonly record: SessionRecord;
  /** Revision of the written entry; 0 while it waits to be written for the first time. */
  readonly revision: number;
}

/** Opens the sessions kept in the JetStream bucket `sessions` and follows them into memory. */
export const jetStreamSessions = async (options: SessionStoreOptions): Promise<SessionStore> => {
  const store = new JetStreamSessions(options);
  await store.start();
  return store;
};

/** @throws Rejection `unavailable` when NATS does not answer */
const reached = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (cause) {
    throw new Rejection('unavailable', 'the sessions cannot be reached', undefined, { cause });
  }
};

class JetStreamSessions implements SessionStore {
  private readonly known = new Map<SessionKey, Known>();
  /** Sessions whose extension waits to be written. */
  private readonly waiting = new Set<SessionKey>();
  /** Versions of sessions that are over: their holders are told so in the version that they asked for. */
  private readonly versions = new LRUCache<SessionKey, string>(atMost(REMEMBERED_VERSIONS));
  private bucket!: WatchedBucket;
  private sweeping: NodeJS.Timeout | undefined;
  /** Runs while something waits to be written. */
  private writing: NodeJS.Timeout | undefined;
  private isClosed = false;
  private flushing: Promise<void> | undefined;

  constructor(private readonly options: SessionStoreOptions) {}

  async start(): Promise<void> {
    const { lifetimeMs } = this.options;
    this.bucket = await watchBucket({
      ...this.options,
      name: BUCKET,
      description: 'Sessions by the digest of their token',
      // An entry is written again at the latest when a tenth of the lifetime has passed.
      ttlMs: Math.ceil(lifetimeMs * 1.2),
      onEntry: (entry) => this.take(entry),
      onRestart: () => this.forget(),
    });
    this.sweeping = setInterval(() => this.sweep(), SWEEP_EVERY_MS);
    this.sweeping.unref();
  }

  async open(key: SessionKey, session: NewSession): Promise<SessionRecord> {
    const record = { ...session, expiresAtMs: this.expiry() };
    const revision = await reached(this.bucket.kv.put(key, JSON.stringify(record)));
    this.keep(key, { record, revision });
    return record;
  }

  openBehind(key: SessionKey, session: NewSession): SessionRecord {
    const record = { ...session, expiresAtMs: this.expiry() };
    this.known.set(key, { record, revision: this.known.get(key)?.revision ?? 0 });
    this.writeSoon(key);
    return record;
  }

  peek(key: SessionKey): SessionRecord | undefined {
    const record = this.known.get(key)?.record;
    return record && this.isLive(record) ? record : undefined;
  }

  versionOf(key: SessionKey): string | undefined {
    return this.known.get(key)?.record.version ?? this.versions.get(key);
  }

  count(): number {
    let live = 0;
    for (const { record } of this.known.values()) if (this.isLive(record)) live += 1;
    return live;
  }

  async find(key: SessionKey): Promise<SessionRecord | undefined> {
    if (!this.known.has(key)) {
      const entry = await reached(this.bucket.get(key));
      if (entry) this.take(entry);
    }
    return this.peek(key);
  }

  extend(key: SessionKey, always = false): SessionRecord | undefined {
    const known = this.known.get(key);
    if (!known || !this.isLive(known.record)) return undefined;
    const { expiresAtMs } = known.record;
    const expiry = this.expiry();
    if (expiresAtMs === null || expiry === null) return known.record;
    if (!always && expiry - expiresAtMs < this.options.lifetimeMs / 10) return known.record;
    const record = { ...known.record, expiresAtMs: expiry };
    this.known.set(key, { ...known, record });
    this.writeSoon(key);
    return record;
  }

  async setVersion(key: SessionKey, version: string): Promise<SessionRecord | undefined> {
    const record = await this.find(key);
    return record && this.open(key, { ...record, version });
  }

  async end(key: SessionKey): Promise<boolean> {
    const ended = (await this.find(key)) !== undefined;
    this.waiting.delete(key);
    if (ended) await reached(this.bucket.kv.delete(key));
    this.drop(key);
    return ended;
  }

  ofUser(id: UserId): readonly (readonly [SessionKey, SessionRecord])[] {
    return [...this.known].flatMap(([key, { record }]) => (record.userId === id && this.isLive(record) ? [[key, record] as const] : []));
  }

  async endWhere(isOver: (record: SessionRecord) => boolean): Promise<number> {
    const over = [...this.known].filter(([, { record }]) => isOver(record)).map(([key]) => key);
    await Promise.all(over.map((key) => this.end(key)));
    return over.length;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.sweeping);
    clearTimeout(this.writing);
    // The one that may be under way began before the latest extensions.
    await this.flush();
    await this.flush();
    await this.bucket.stop();
  }

  private expiry(): number | null {
    return this.options.lifetimeMs === 0 ? null : this.options.now() + this.options.lifetimeMs;
  }

  private isLive({ expiresAtMs }: SessionRecord): boolean {
    return expiresAtMs === null || expiresAtMs > this.options.now();
  }

  /** Takes over what the bucket says, unless this gateway already knows something newer. */
  private take({ key: text, value, revision }: BucketEntry): void {
    const key = text as SessionKey;
    if (value === undefined) {
      if ((this.known.get(key)?.revision ?? 0) <= revision) this.drop(key);
      return;
    }
    const record = parseEntry(storedRecord, value);
    if (record) this.keep(key, { record, revision });
    else this.options.log.warn({ key }, 'failed to parse a session entry');
  }

  private keep(key: SessionKey, next: Known): void {
    const before = this.known.get(key);
    if (before && before.revision > next.revision) return;
    // An extension that waits to be written is newer than the entry that it rests on.
    const expiresAtMs = this.waiting.has(key) && before ? before.record.expiresAtMs : next.record.expiresAtMs;
    this.known.set(key, { ...next, record: { ...next.record, expiresAtMs } });
  }

  /** Forgets everything but what waits to be written; whatever is asked for meanwhile is looked up. */
  private forget(): void {
    for (const key of this.known.keys()) if (!this.waiting.has(key)) this.known.delete(key);
  }

  private sweep(): void {
    for (const [key, { record }] of this.known) if (!this.isLive(record)) this.drop(key);
  }

  /** Lets go of a session that is over, but for its version. */
  private drop(key: SessionKey): void {
    const version = this.known.get(key)?.record.version;
    if (version !== undefined) this.versions.set(key, version);
    this.known.delete(key);
  }

  private writeSoon(key: SessionKey): void {
    this.waiting.add(key);
    this.scheduleFlush();
  }

  private scheduleFlush(): void {
    if (this.isClosed) return;
    this.writing ??= setTimeout(() => {
      this.writing = undefined;
      void this.flush();
    }, this.options.flushEveryMs ?? FLUSH_EVERY_MS).unref();
  }

  private flush(): Promise<void> {
    this.flushing ??= this.writeWaiting().finally(() => {
      this.flushing = undefined;
      // Some were not taken, or began to wait meanwhile.
      if (this.waiting.size > 0) this.scheduleFlush();
    });
    return this.flushing;
  }

  private async writeWaiting(): Promise<void> {
    const keys = [...this.waiting];
    const outcomes = await Promise.allSettled(keys.map((key) => this.write(key)));
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failures.length === 0) return;
    const err: unknown = failures[0]?.reason;
    this.options.log.warn({ err, sessions: failures.length }, 'failed to write sessions; will retry');
  }

  /** A key stops waiting only when the end that was written is still the latest. */
  private async write(key: SessionKey): Promise<void> {
    const known = this.known.get(key);
    const revision = known && (await this.writeRecord(key, known));
    if (this.known.get(key)?.record.expiresAtMs === known?.record.expiresAtMs) this.waiting.delete(key);
    if (known && revision !== undefined) this.keep(key, { record: known.record, revision });
  }

  /** Answers the new revision; undefined when somebody else has written or ended the session meanwhile, which then counts. */
  private async writeRecord(key: SessionKey, { record, revision }: Known): Promise<number | undefined> {
    const { kv } = this.bucket;
    const text = JSON.stringify(record);
    try {
      // Naming the revision keeps an extension from reviving a session that another gateway has ended.
      return await (revision === 0 ? kv.create(key, text) : kv.update(key, text, revision));
    } catch (error) {
      if (!isRevisionConflict(error)) throw error;
    }
    this.waiting.delete(key);
    const entry = await this.bucket.get(key);
    if (entry) this.take(entry);
    else this.drop(key);
    return undefined;
  }
}
