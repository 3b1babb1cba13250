import { hostname } from 'node:os';
import { streamExists, streamState, type Metrics } from '@continuo/chassis';
import { Rejection, type EventStreamName } from '@continuo/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { BucketStoreOptions } from '../../auth/sessions/watched-bucket.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import type { PlayingSessionStore } from '../playback/index.js';
import { isLive } from '../playback/playing-session.js';
import type { LoadHistory, LoadSample } from './load-history.js';
import { countRequestsSoFar, ratesBetween, type RequestCounts } from './request-rates.js';

/** Dependencies of {@link JetStreamLoadHistory}. */
export interface LoadHistoryOptions extends BucketStoreOptions {
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly playing: Pick<PlayingSessionStore, 'all'>;
  readonly reads: ReadDatabase;
  /** May read the checkpoints of projections. */
  readonly checkpoints: Kysely<unknown>;
  readonly port: number;
}

const BUCKET = 'load_history';
const EVERY_MS = 5 * 60_000;
const KEPT_MS = 24 * 3_600_000;
const SLOTS = KEPT_MS / EVERY_MS;
const MAX_BYTES = 4 * 1024 * 1024;

const storedSample = z.object({
  gateway: z.string(),
  atMs: z.number(),
  requestsPerS: z.number(),
  p95Ms: z.number().nullable(),
  memoryBytes: z.number(),
  listeners: z.number(),
  runningScans: z.number(),
  lagEvents: z.number(),
});

/**
 * Keeps a sample every five minutes in the JetStream bucket `load_history`. Each gateway has a key for every five minutes of a day, which the next day
 * overwrites, so that the bucket stays small.
 */
export class JetStreamLoadHistory implements LoadHistory {
  readonly #gateway: string;
  #bucket: Promise<KV> | undefined;
  #counted: RequestCounts = { atMs: 0, requests: 0, within: [] };
  #recording: Promise<void> | undefined;

  constructor(private readonly options: LoadHistoryOptions) {
    this.#gateway = `${hostname()}:${options.port}`;
    this.#counted = { ...this.#counted, atMs: options.now() };
  }

  /** Notes a sample when the last one is old enough. A failure leaves a gap in the history. */
  async recordWhenDue(): Promise<void> {
    if (this.options.now() - this.#counted.atMs < EVERY_MS) return;
    this.#recording ??= this.#record().finally(() => {
      this.#recording = undefined;
    });
    await this.#recording;
  }

  async samples(): Promise<readonly LoadSample[]> {
    try {
      const { sample } = await this.#sample();
      const kept: LoadSample[] = [];
      for await (const { value, operation } of await (await this.#opened()).history())
        if (operation === 'PUT') kept.push(storedSample.parse(JSON.parse(new TextDecoder().decode(value))));
      return [...kept, sample];
    } catch (cause) {
      throw new Rejection('unavailable', 'the load of the last day cannot be read', undefined, { cause });
    }
  }

  async #record(): Promise<void> {
    try {
      const { sample, counts } = await this.#sample();
      // Before it is written: a bucket that cannot be reached is tried again in five minutes.
      this.#counted = counts;
      const slot = Math.floor(sample.atMs / EVERY_MS) % SLOTS;
      await (await this.#opened()).put(`${this.#gateway.replaceAll(/[^\w-]/g, '_')}.${slot}`, JSON.stringify(sample));
    } catch (err) {
      this.options.log.warn({ err }, 'Failed to note the load of the server; the charts of the last day have a gap');
    }
  }

  async #sample(): Promise<{ readonly sample: LoadSample; readonly counts: RequestCounts }> {
    const { metrics, playing, reads, now } = this.options;
    const atMs = now();
    const counts = await countRequestsSoFar(metrics, atMs);
    const { scans } = await reads
      .selectFrom('ingestion.scan')
      .select(({ fn }) => fn.countAll<number>().as('scans'))
      .where('state', '=', 'running')
      .executeTakeFirstOrThrow();
    const sample = {
      gateway: this.#gateway,
      atMs,
      ...ratesBetween(this.#counted, counts),
      memoryBytes: process.memoryUsage.rss(),
      listeners: playing.all().filter((session) => session.state === 'playing' && isLive(session, atMs)).length,
      runningScans: scans,
      lagEvents: await this.#lagEvents(),
    };
    return { sample, counts };
  }

  /** Events behind which the slowest projection is. */
  async #lagEvents(): Promise<number> {
    const { checkpoints, nats } = this.options;
    const { rows } = await sql<{ stream: EventStreamName; position: number }>`
      select stream, min(position)::float8 as position from chassis.projection_checkpoint where state = 'live' group by stream`.execute(
      checkpoints,
    );
    const manager = await jetstreamManager(nats, { checkAPI: false });
    const lags = await Promise.all(
      rows.map(async ({ stream, position }) =>
        (await streamExists(manager, stream)) ? (await streamState(manager, stream)).lastReadable - position : 0,
      ),
    );
    return Math.max(0, ...lags);
  }

  #opened(): Promise<KV> {
    const { nats, replicas } = this.options;
    this.#bucket ??= new Kvm(jetstream(nats))
      .create(BUCKET, {
        history: 1,
        storage: 'file',
        description: 'Load of the server during the last day',
        replicas,
        ttl: KEPT_MS,
        max_bytes: MAX_BYTES,
      })
      .catch((error: unknown) => {
        this.#bucket = undefined;
        throw error;
      });
    return this.#bucket;
  }
}
