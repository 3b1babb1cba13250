import { randomUUID } from 'node:crypto';
import type { IndexerContext } from './indexer-context.js';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { type EventBatch, eventBatches, LeaderLock, pause, type Running, streamState } from '@continuo/chassis';
import type { SearchBatch, SearchCheckpoint, SearchIndexWriter } from '../search-index.js';
import { rebuildSearchIndex } from './search-rebuild.js';
import { batchSize, type SearchFollower, type SearchSource } from './search-source.js';

const STANDBY_POLL_MS = 1000;
const FIRST_FAULT_PAUSE_MS = 500;
const LONGEST_FAULT_PAUSE_MS = 30_000;
/** Rest after each write, in which more events gather: a scan then comes in few large batches. */
const GATHER_MS = 200;
const READABLE_POLL_MS = 20;
const SLOWEST_READABLE_POLL_MS = 250;
/** A server that no longer answers must not hold up the end of the service. */
const STOP_PATIENCE_MS = 3000;

/** Subject on which the process that keeps an index is asked to build it anew; it answers at once with a {@link RebuildPromise}. */
export const searchRebuildSubject = (index: string): string => `search-index.rebuild.${index}`;

/** Subject on which that process reports its {@link IndexerStatus}. */
export const searchStatusSubject = (index: string): string => `search-index.status.${index}`;

/** Names of the indexes that there can be. */
export const searchIndexNames = ['postgres', 'meilisearch'] as const;

/** Status of an indexer on this replica. */
export interface IndexerStatus {
  readonly index: string;
  readonly role: 'starting' | 'standby' | 'rebuilding' | 'following';
  readonly position: number;
  readonly fault?: string;
  /** Another one after another replica has taken over. */
  readonly keeper: string;
  /** Times that this keeper has built the index anew. */
  readonly rebuilds: number;
  /** Entries written so far of the index that is being built. */
  readonly written: number;
}

/** Answer to whoever wants an index built anew: it is, once the keeper has counted so many rebuilds. */
export interface RebuildPromise {
  readonly keeper: string;
  readonly rebuilds: number;
}

/**
 * Keeps one search index in step with the log: one replica at a time, from the checkpoint that the index itself holds. Without one, with one of
 * another incarnation of the log or another version, the index is built anew beside the old one, which answers meanwhile. Faults are retried for ever.
 */
export class SearchIndexer implements Running {
  readonly #context: IndexerContext;
  readonly #writer: SearchIndexWriter;
  readonly #source: SearchSource;
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #role: IndexerStatus['role'] = 'starting';
  #fault: string | undefined;
  #position = 0;
  #faultsInARow = 0;
  /** True after a rebuild, which leaves nothing to catch up beside the log. */
  #isFresh = false;
  #isRebuildWanted = false;
  readonly #keeper = randomUUID();
  #rebuilds = 0;
  #written = 0;
  /** Ends the present stretch of following. */
  #stretch = new AbortController();

  constructor(context: IndexerContext, writer: SearchIndexWriter, source: SearchSource) {
    this.#context = context;
    this.#writer = writer;
    this.#source = source;
  }

  start(): void {
    this.#loop = this.#keepGoing();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#loop, pause(STOP_PATIENCE_MS, new AbortController().signal)]);
  }

  status(): IndexerStatus {
    const counts = { keeper: this.#keeper, rebuilds: this.#rebuilds, written: this.#written };
    const base = { index: this.#writer.name, role: this.#role, position: this.#position, ...counts };
    return this.#fault === undefined ? base : { ...base, fault: this.#fault };
  }

  async #keepGoing(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#term();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        await this.#noteFault(error);
        await pause(Math.min(FIRST_FAULT_PAUSE_MS * 2 ** this.#faultsInARow, LONGEST_FAULT_PAUSE_MS), this.#stopping.signal);
        this.#faultsInARow += 1;
      }
    }
  }

  async #noteFault(error: unknown): Promise<void> {
    const { metrics, log, nats } = this.#context;
    const index = this.#writer.name;
    const reason = error instanceof Error ? error.message : String(error);
    // An outage is one line in the log, not one per try.
    if (reason !== this.#fault) log.warn({ err: error, index }, 'failed to update the search index');
    this.#fault = reason;
    metrics.up.set({ index }, 0);
    metrics.faults.inc({ index });
    try {
      const { lastPosition } = await streamState(await jetstreamManager(nats), this.#source.stream);
      metrics.lagEvents.set({ index }, Math.max(0, lastPosition - this.#position));
    } catch (cause) {
      log.debug({ err: cause, index }, 'failed to compute the lag of the search index');
    }
  }

  #noteSuccess(position: number, pending?: number): void {
    const { metrics, log } = this.#context;
    const index = this.#writer.name;
    if (this.#fault !== undefined) log.info({ index }, 'the search index is updated again');
    this.#fault = undefined;
    this.#faultsInARow = 0;
    this.#position = position;
    metrics.up.set({ index }, 1);
    metrics.position.set({ index }, position);
    if (pending !== undefined) metrics.lagEvents.set({ index }, pending);
  }

  /** One term of leadership: from getting the lock to losing it, stopping, or a fault. */
  async #term(): Promise<void> {
    const { db, nats } = this.#context;
    const lock = await LeaderLock.tryAcquire(db, `search-index:${this.#writer.name}`);
    if (!lock) {
      this.#role = 'standby';
      this.#context.metrics.up.set({ index: this.#writer.name }, 0);
      await pause(STANDBY_POLL_MS, this.#stopping.signal);
      return;
    }
    const index = this.#writer.name;
    const subscriptions = [
      nats.subscribe(searchRebuildSubject(index), { callback: (_, message) => this.#answerRebuild(message) }),
      nats.subscribe(searchStatusSubject(index), { callback: (_, message) => void message.respond(JSON.stringify(this.status())) }),
    ];
    const signal = AbortSignal.any([this.#stopping.signal, lock.lost]);
    try {
      await this.#writer.prepare();
      while (!signal.aborted) await this.#work(signal);
    } finally {
      for (const subscription of subscriptions) if (!subscription.isClosed()) subscription.unsubscribe();
      await lock.release();
    }
  }

  #answerRebuild(message: Msg): void {
    this.#isRebuildWanted = true;
    this.#stretch.abort();
    const promise: RebuildPromise = { keeper: this.#keeper, rebuilds: this.#rebuilds + 1 };
    message.respond(JSON.stringify(promise));
  }

  /** Builds the index anew when it has to be, or follows the log until something ends that. */
  async #work(term: AbortSignal): Promise<void> {
    this.#stretch = new AbortController();
    const signal = AbortSignal.any([term, this.#stretch.signal]);
    const { epoch, lastPosition } = await streamState(await jetstreamManager(this.#context.nats), this.#source.stream);
    const checkpoint = await this.#writer.checkpoint();
    if (checkpoint && !this.#isRebuildWanted && this.#fits(checkpoint, epoch, lastPosition)) {
      await this.#follow(checkpoint, signal);
      return;
    }
    this.#role = 'rebuilding';
    this.#written = 0;
    const tell = (written: number): void => {
      this.#written = written;
    };
    const position = await rebuildSearchIndex({ ...this.#context, tell }, this.#writer, this.#source, term);
    if (position === undefined) return;
    this.#rebuilds += 1;
    this.#isRebuildWanted = false;
    this.#isFresh = true;
    this.#noteSuccess(position);
  }

  #fits({ epoch, position, version }: SearchCheckpoint, incarnation: string, lastPosition: number): boolean {
    return epoch === incarnation && version === this.#source.version && position <= lastPosition;
  }

  async #follow(from: SearchCheckpoint, signal: AbortSignal): Promise<void> {
    const following = new Following(this.#context, this.#writer, await this.#source.follow(this.#writer.name, this.#isFresh), from);
    this.#isFresh = false;
    this.#role = 'following';
    this.#noteSuccess(from.position);
    const ended = new AbortController();
    const ending = AbortSignal.any([signal, ended.signal]);
    let fault: unknown;
    const upkeep = this.#keepUp(following, ending)
      .catch((error: unknown) => {
        fault = error;
      })
      .finally(() => ended.abort());
    try {
      for await (const batch of eventBatches(this.#context.nats, this.#source.stream, from.position, { signal: ending })) {
        const position = batch.events.at(-1)?.position ?? 0;
        await this.#untilReadable(position, ending);
        if (ending.aborted) break;
        // Not `||=` over an await: somebody may ask meanwhile.
        if ((await following.take(batch)) === 'rebuild') this.#isRebuildWanted = true;
        if (this.#isRebuildWanted) break;
        this.#noteSuccess(position, batch.pending);
        await pause(GATHER_MS, ending);
      }
    } finally {
      ended.abort();
      await upkeep;
    }
    if (fault instanceof Error) throw fault;
  }

  async #keepUp(following: Following, signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#context.upkeepMs, signal);
      if (signal.aborted) return;
      if (!(await following.keepUp())) {
        this.#context.log.warn({ index: this.#writer.name }, 'the search index has changed on its server; checking it again');
        return;
      }
    }
  }

  async #untilReadable(position: number, signal: AbortSignal): Promise<void> {
    for (let waitMs = READABLE_POLL_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, SLOWEST_READABLE_POLL_MS)) {
      if ((await this.#source.readablePosition()) >= position) return;
      await pause(waitMs, signal);
    }
  }
}

/** Writes that belong to one stretch of following; never two at a time. */
class Following {
  readonly #context: IndexerContext;
  readonly #writer: SearchIndexWriter;
  readonly #follower: SearchFollower;
  /** Checkpoint of the index, and the position up to which it is complete: events that change nothing are not written one by one. */
  #written: SearchCheckpoint;
  #seen: SearchCheckpoint;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(context: IndexerContext, writer: SearchIndexWriter, follower: SearchFollower, from: SearchCheckpoint) {
    this.#context = context;
    this.#writer = writer;
    this.#follower = follower;
    this.#written = from;
    this.#seen = from;
  }

  take({ events }: EventBatch): Promise<'rebuild' | undefined> {
    return this.#alone(async () => {
      const next = { ...this.#seen, position: events.at(-1)?.position ?? this.#seen.position };
      const batch = await this.#follower.changes(events);
      if (batch === 'rebuild') return batch;
      if (batchSize(batch) > 0) await this.#write(batch, next);
      this.#seen = next;
    });
  }

  /** False when the index does not hold what was written to it: it is gone, or an older one has come back. */
  keepUp(): Promise<boolean> {
    return this.#alone(async () => {
      const held = await this.#writer.checkpoint();
      if (held?.position !== this.#written.position || held.epoch !== this.#written.epoch) return false;
      const { batch, written } = await this.#follower.upkeep();
      if (batchSize(batch) > 0 || this.#seen.position > this.#written.position) await this.#write(batch, this.#seen);
      await written();
      return true;
    });
  }

  async #write(batch: SearchBatch, checkpoint: SearchCheckpoint): Promise<void> {
    await this.#writer.apply(batch, checkpoint);
    this.#written = checkpoint;
    const { entries } = this.#context.metrics;
    const index = this.#writer.name;
    entries.inc({ index, operation: 'upsert' }, batch.upserts?.length ?? 0);
    entries.inc({ index, operation: 'deletion' }, batch.deletions?.length ?? 0);
    entries.inc({ index, operation: 'popularity' }, batch.popularity?.length ?? 0);
  }

  #alone<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(step, step);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
