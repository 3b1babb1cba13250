import { randomUUID } from 'node:crypto';
import { decision, fullStorage, RetryLater, type AggregateRunner, type JobDelivery } from '@continuo/chassis';
import {
  errorTable,
  Rejection,
  type CatalogId,
  type MessageContext,
  type ReadModel,
  type ScanId,
  type ScanMode,
  type ScannedCatalog,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { RootUnusable } from '../walk/walk.js';
import { CatalogScan, type ScanDependencies } from './catalog-scan.js';
import { catalogById, mediaAddedSince } from './known-folders.reads.js';
import { retryTransient } from './retry-transient.js';
import { isOpen, scanAggregate, type ScanCommand, type ScanState } from './scan.decider.js';
import { ScanHeartbeat, ScanStopped } from './scan-heartbeat.js';
import type { Lease, ScanLeases } from './scan-lease.js';
import type { ScanMetrics } from './scan-metrics.js';
import { ScanTally } from './scan-tally.js';
import type { ScanHelper } from './sharing/scan-helper.js';

export interface WorkerDependencies extends ScanDependencies {
  readonly db: Kysely<ReadModel>;
  readonly aggregates: AggregateRunner;
  readonly leases: ScanLeases;
  /** This worker's part in the scans of others; it rests while an own one runs. */
  readonly helper: Pick<ScanHelper, 'busyWith'>;
  readonly metrics?: ScanMetrics;
  readonly log: Logger;
  readonly now: () => number;
  /** Time between two progress events, ms. */
  readonly progressIntervalMs: number;
}

/** Attempts after which a scan that fails each time is recorded as failed. Workers that die count too, so there are many. */
export const MAX_SCAN_ATTEMPTS = 100;
/** Attempts after which an error of our own ends the scan as failed; those of workers that died are among them. */
const MAX_FAILED_ATTEMPTS = 30;
const BUSY_RETRY_MS = 2000;
/** A scan waits until somebody makes room, and does not give up. */
const FULL_RETRY_MS = 10_000;
const END_PATIENCE_MS = 60_000;

interface Claim {
  readonly lease: Lease;
  readonly mode: ScanMode;
  readonly state: ScanState;
  readonly context: MessageContext;
  readonly tally: ScanTally;
  /** Reason for the current delay, as a sentence. */
  delayedBy?: string | undefined;
}

/** Runs queued scans: one worker per catalog, whoever crashes is followed by another that goes on with what is not recorded yet. */
export class ScanWorker {
  constructor(private readonly deps: WorkerDependencies) {}

  /** @throws RetryLater while another worker holds the catalog; any other error has the job tried again */
  async run(job: { scanId: ScanId; catalogId: CatalogId; mode: ScanMode }, delivery: JobDelivery): Promise<void> {
    const { aggregates, leases } = this.deps;
    const { state } = await aggregates.load(scanAggregate, job.scanId);
    if (!isOpen(state)) return leases.forget(job.catalogId, job.scanId);
    const lease = await leases.acquire(job.catalogId, job.scanId, randomUUID());
    if (lease === undefined) throw new RetryLater(BUSY_RETRY_MS, 'another worker holds the catalog');
    const { actor, correlationId, traceparent } = delivery;
    const context = { actor, correlationId, causationId: job.scanId, ...(traceparent ? { traceparent } : {}) };
    const claim: Claim = { lease, mode: job.mode, state, context, tally: new ScanTally(state.counts) };
    const heartbeat = this.#heartbeat(claim);
    const onHandBack = (): void => heartbeat.stopRun('handed-back');
    delivery.signal.addEventListener('abort', onHandBack, { once: true });
    if (delivery.signal.aborted) onHandBack();
    let hasEnded = false;
    this.deps.metrics?.begin(claim.tally);
    try {
      hasEnded = await this.#scan(claim, heartbeat, delivery);
    } catch (error) {
      throw this.#putOff(claim, error) ?? error;
    } finally {
      this.deps.metrics?.end(claim.tally, hasEnded ? 'finished' : 'stopped');
      delivery.signal.removeEventListener('abort', onHandBack);
      await heartbeat.stop();
      await leases
        .release(lease, hasEnded)
        .catch((error: unknown) => this.deps.log.warn({ err: error, scanId: job.scanId }, 'failed to release scan lease'));
    }
  }

  /** A worker or a library that died took answers with it that nobody counted: the read model tells how many songs were really added. */
  async #settleCounts({ tally, lease }: Claim): Promise<void> {
    const { db } = this.deps;
    const added = () => mediaAddedSince(db, lease.catalogId, lease.scanId);
    tally.atLeastAdded(await retryTransient(added, { withinMs: END_PATIENCE_MS }));
  }

  #heartbeat(claim: Claim): ScanHeartbeat {
    let reportedAt = performance.now();
    const onBeat = async (): Promise<void> => {
      if (performance.now() - reportedAt < this.deps.progressIntervalMs) return;
      reportedAt = performance.now();
      await this.#progress(claim);
    };
    const { leases, aggregates, log } = this.deps;
    return new ScanHeartbeat({ leases, aggregates, log, onBeat }, claim.lease);
  }

  /** True when the scan has come to its end, one way or another. */
  async #scan(claim: Claim, heartbeat: ScanHeartbeat, delivery: JobDelivery): Promise<boolean> {
    const startedAt = performance.now();
    const { log } = this.deps;
    const facts = { scanId: claim.lease.scanId, catalogId: claim.lease.catalogId, correlationId: claim.context.correlationId };
    await this.#decide(claim, { type: 'start', attempt: claim.state.attempt + 1 });
    heartbeat.start();
    try {
      const catalog = await catalogById(this.deps.db, claim.lease.catalogId);
      if (catalog === undefined) throw new RootUnusable('the catalog has been removed');
      await this.#walk(catalog, claim, heartbeat.signal);
    } catch (error) {
      return this.#afterFailure(claim, heartbeat, delivery, error);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    await this.#settleCounts(claim);
    const counts = claim.tally.counts();
    await this.#end(claim, { type: 'finish', counts, durationMs, skipped: claim.tally.samples });
    log.info({ ...facts, ...counts, durationMs }, 'scan finished');
    return true;
  }

  async #walk(catalog: ScannedCatalog, claim: Claim, signal: AbortSignal): Promise<void> {
    const { mode, context, tally } = claim;
    const { scanId } = claim.lease;
    const onTrouble = (error?: unknown): void => this.#notice(claim, fullStorage(error));
    const run = { catalog, mode, context, tally, signal, scanId, onTrouble };
    await this.deps.helper.busyWith(scanId, () => CatalogScan.execute(this.deps, run));
  }

  async #afterFailure(claim: Claim, heartbeat: ScanHeartbeat, delivery: JobDelivery, error: unknown): Promise<boolean> {
    const { scanId, catalogId } = claim.lease;
    if (heartbeat.signal.aborted) {
      const stopped = heartbeat.signal.reason as ScanStopped;
      this.deps.log.info({ scanId, catalogId, why: stopped.why }, 'scan stopped');
      if (stopped.why === 'cancelled') return true;
      throw stopped.why === 'lease-lost' ? new RetryLater(BUSY_RETRY_MS, stopped.message) : stopped;
    }
    const full = fullStorage(error);
    if (full !== undefined) {
      this.#notice(claim, full);
      // The log may be what has no room.
      await this.#progress(claim).catch((err: unknown) =>
        this.deps.log.warn({ err, scanId }, 'failed to record the reason for a scan delay'),
      );
      throw error;
    }
    const isHopeless = isFinal(error) || delivery.attempt >= MAX_FAILED_ATTEMPTS;
    this.deps.log.error(
      // A cause that has a sentence for the operator is no error of the program: no stack.
      { scanId, catalogId, ...(isFinal(error) ? { why: error.message } : { err: error }), attempt: delivery.attempt },
      isHopeless ? 'scan failed' : 'scan interrupted; it will be tried again',
    );
    if (!isHopeless) throw error;
    const message = isFinal(error) ? error.message : 'an unexpected failure; the log of the ingestion service has the details';
    await this.#end(claim, { type: 'fail', counts: claim.tally.counts(), message });
    return true;
  }

  /** Keeps what the scan waits for, and says so once. */
  #notice(claim: Claim, delayedBy: string | undefined): void {
    if (delayedBy === claim.delayedBy) return;
    claim.delayedBy = delayedBy;
    const { scanId, catalogId } = claim.lease;
    if (delayedBy !== undefined) this.deps.log.error({ scanId, catalogId }, `a scan waits: ${delayedBy}`);
  }

  /** A full disk is no failure of the scan: it is put off until there is room, however long that takes. */
  #putOff(claim: Claim, error: unknown): RetryLater | undefined {
    const full = fullStorage(error);
    if (full === undefined) return undefined;
    this.#notice(claim, full);
    return new RetryLater(FULL_RETRY_MS, full);
  }

  #progress(claim: Claim): Promise<void> {
    const waits = claim.delayedBy === undefined ? undefined : `it waits: ${claim.delayedBy}; it goes on by itself when there is room`;
    return this.#decide(claim, { type: 'progress', counts: claim.tally.counts(), delayedBy: waits });
  }

  /** The last word on a scan must get into the log, even while NATS restarts. */
  #end(claim: Claim, command: ScanCommand): Promise<void> {
    return retryTransient(() => this.#decide(claim, command), { withinMs: END_PATIENCE_MS });
  }

  async #decide(claim: Claim, command: ScanCommand): Promise<void> {
    await this.deps.aggregates.run([decision(scanAggregate, claim.lease.scanId, command)], { ...claim.context, at: this.deps.now() });
  }
}

/** A root that cannot be walked, or a refusal of the library: no further attempt will change it. */
const isFinal = (error: unknown): error is Error =>
  error instanceof RootUnusable || (error instanceof Rejection && errorTable[error.code].retry === 'never');
