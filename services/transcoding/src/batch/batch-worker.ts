import {
  AttemptFailed,
  decision,
  RetryLater,
  unlessUnwanted,
  whileWanted,
  type AggregateRunner,
  type JobDelivery,
} from '@continuo/chassis';
import {
  errorTable,
  Rejection,
  type ReadModel,
  type TranscodeBatchId,
  type TranscodeItem,
  type TranscodeItemOutcome,
  type TranscodeProfile,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { TranscodeInterrupted, TranscodeNotCached, TranscodePreempted, type Transcoder } from '../work/transcoder.js';
import { batchAggregate, type ItemEnd } from './batch.decider.js';
import type { FindInOtherCaches } from './other-caches.js';
import { itemSource } from './item-source.reads.js';

/** Dependencies of {@link BatchWorker}. */
export interface BatchWorkerDependencies {
  readonly aggregates: AggregateRunner;
  readonly db: Kysely<ReadModel>;
  readonly transcoder: Transcoder;
  readonly workerId: string;
  readonly findInOtherCaches: FindInOtherCaches;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** One medium of a batch. */
export interface BatchJob {
  readonly batchId: TranscodeBatchId;
  readonly index: number;
  readonly item: TranscodeItem;
  readonly profile: TranscodeProfile;
}

/** Attempts after which a medium counts as failed. Workers that died are among them, so there are many. */
export const MAX_ITEM_ATTEMPTS = 20;
/** Attempts after which a medium that this side cannot make or keep counts as failed. */
const MAX_FAILED_ATTEMPTS = 3;
const LOOK_INTERVAL_MS = 1000;
const NO_FFMPEG_RETRY_MS = 10_000;
const DISTURBED_RETRY_MS = 2000;
const NO_ROOM_RETRY_MS = 30_000;

type Made = Pick<ItemEnd, 'outcome' | 'sizeBytes' | 'reason'>;
const failed = (reason: string): Made => ({ outcome: 'failed', sizeBytes: 0, reason: reason.slice(0, 300) });

/**
 * Makes media of batches, one per job. Whoever finishes first has the word on a medium, so a second delivery after a crash or a lost claim changes nothing; and
 * what it would make lies in the cache already. People who listen go first: what is made ahead gives up its place to them and comes again.
 */
export class BatchWorker {
  constructor(private readonly deps: BatchWorkerDependencies) {}

  /** @throws RetryLater while this worker has no place for it; any other error has the job tried again, here or elsewhere */
  async run(job: BatchJob, delivery: JobDelivery): Promise<void> {
    if (!(await this.#isOpen(job))) return;
    const beganAtMs = this.deps.now();
    const made = await this.#makeWhileOpen(job, delivery);
    if (made) await this.#end(job, delivery, { ...made, durationMs: Math.max(0, this.deps.now() - beganAtMs) });
  }

  async #isOpen({ batchId, index }: BatchJob): Promise<boolean> {
    const { state } = await this.deps.aggregates.load(batchAggregate, batchId);
    return state.status === 'running' && !state.ended.includes(index);
  }

  /** Undefined when the batch has ended meanwhile, or somebody else has made it. */
  #makeWhileOpen(job: BatchJob, delivery: JobDelivery): Promise<Made | undefined> {
    return whileWanted({
      work: (signal) => this.#make(job, delivery, signal),
      isWanted: () => this.#isOpen(job),
      everyMs: LOOK_INTERVAL_MS,
      signal: delivery.signal,
      onFault: (err) => this.deps.log.warn({ err, batchId: job.batchId }, 'failed to read transcode batch'),
    }).catch(unlessUnwanted);
  }

  async #make({ item, profile }: BatchJob, { attempt }: JobDelivery, signal: AbortSignal): Promise<Made> {
    const { transcoder, db } = this.deps;
    const found = await itemSource(db, item);
    if (!found) return failed('it is no longer in the library');
    try {
      const wanted = { source: found.source, target: { ...profile, ...found.part } };
      const request = await transcoder.look(wanted);
      const held = await this.deps.findInOtherCaches(wanted);
      if (held) return { outcome: 'present', ...held };
      const { sizeBytes, wasThere } = await transcoder.prepare(request, { signal });
      const outcome: TranscodeItemOutcome = wasThere ? 'present' : 'made';
      return { outcome, sizeBytes };
    } catch (error) {
      signal.throwIfAborted();
      return this.#afterFailure(error, attempt);
    }
  }

  #afterFailure(error: unknown, attempt: number): Made {
    if (error instanceof TranscodePreempted) throw new RetryLater(DISTURBED_RETRY_MS, error.message);
    if (error instanceof Rejection && error.code === 'unavailable') throw new RetryLater(NO_FFMPEG_RETRY_MS, error.message);
    if (error instanceof Rejection && error.code === 'transcode.busy')
      throw new RetryLater(Number(error.subject ?? 1) * 1000, error.message);
    if (error instanceof Rejection && errorTable[error.code].retry === 'never') return failed(error.message);
    if (!(error instanceof TranscodeNotCached || error instanceof TranscodeInterrupted)) throw error;
    if (attempt >= MAX_FAILED_ATTEMPTS) return failed(error.message);
    throw new AttemptFailed(error instanceof TranscodeInterrupted ? DISTURBED_RETRY_MS : NO_ROOM_RETRY_MS, error.message, { cause: error });
  }

  async #end(
    { batchId, index }: BatchJob,
    { actor, correlationId, causationId, traceparent }: JobDelivery,
    end: Omit<ItemEnd, 'index' | 'workerId'>,
  ): Promise<void> {
    const { aggregates, workerId, now } = this.deps;
    const meta = { actor, correlationId, causationId, ...(traceparent ? { traceparent } : {}), at: now() };
    await aggregates.run([decision(batchAggregate, batchId, { type: 'end-item', end: { index, workerId, ...end } })], meta);
  }
}
