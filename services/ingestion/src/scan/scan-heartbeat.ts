import type { AggregateRunner } from '@continuo/chassis';
import type { Logger } from 'pino';
import { isOpen, scanAggregate } from './scan.decider.js';
import { LEASE_MS, type Lease, type ScanLeases } from './scan-lease.js';

/** Why a run was stopped from outside. */
export class ScanStopped extends Error {
  override readonly name = 'ScanStopped';
  constructor(readonly why: 'cancelled' | 'lease-lost' | 'handed-back') {
    super(`the scan was stopped: ${why}`);
  }
}

export interface HeartbeatDependencies {
  readonly leases: ScanLeases;
  readonly aggregates: AggregateRunner;
  readonly log: Logger;
  /** Called at each beat, while the scan is open: reports progress. */
  readonly onBeat: () => Promise<void>;
}

const BEAT_MS = 1000;

/**
 * While a scan runs: keeps its lease alive, watches for its cancellation, and reports progress. A lost lease or a cancellation aborts the run
 * within a beat.
 */
export class ScanHeartbeat {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #aliveAt = performance.now();

  constructor(
    private readonly deps: HeartbeatDependencies,
    private readonly lease: Lease,
  ) {}

  /** Fires with a {@link ScanStopped}. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stopRun(why: ScanStopped['why']): void {
    this.#abort.abort(new ScanStopped(why));
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = undefined));
    }, BEAT_MS);
  }

  /** No beat is under way any more when this resolves. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
  }

  async #beat(): Promise<void> {
    try {
      if (!(await this.deps.leases.renew(this.lease))) return this.stopRun('lease-lost');
      this.#aliveAt = performance.now();
      const { state } = await this.deps.aggregates.load(scanAggregate, this.lease.scanId);
      if (!isOpen(state)) return this.stopRun('cancelled');
      await this.deps.onBeat();
    } catch (error) {
      this.deps.log.warn({ err: error, scanId: this.lease.scanId }, 'scan heartbeat failed');
      if (performance.now() - this.#aliveAt > LEASE_MS) this.stopRun('lease-lost');
    }
  }
}
