import { randomUUID } from 'node:crypto';
import { decision, poll, type AggregateRunner, type JobQueue } from '@continuo/chassis';
import {
  Rejection,
  scanCatalog,
  type CatalogId,
  type CommandMessage,
  type LogPosition,
  type ReadModel,
  type ScanId,
  type ScanMode,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { catalogById } from './known-folders.reads.js';
import { isOpen, scanAggregate } from './scan.decider.js';
import type { ScanLeases } from './scan-lease.js';

export interface StartDependencies {
  readonly db: Kysely<ReadModel>;
  readonly aggregates: AggregateRunner;
  readonly leases: ScanLeases;
  readonly jobs: JobQueue;
}

export interface StartedScan {
  readonly scanId: ScanId;
  readonly alreadyRunning: boolean;
  readonly positions: readonly LogPosition[];
}

/** A catalog that was added a moment ago reaches the read model a little later. */
const CATALOG_PATIENCE_MS = 2000;
const LOOK_AGAIN_MS = 50;

/** True when a scan under way does what another mode asks for. Whoever looks for changes is told of any: the next one finds what this one leaves. */
const does = (running: ScanMode, wanted: ScanMode): boolean => running === wanted || running === 'update' || wanted === 'changes';

/** Requests a scan unless one is queued or running, and puts it on the work queue. Safe to repeat at any point. */
export class ScanStart {
  constructor(private readonly deps: StartDependencies) {}

  /** @throws Rejection `catalog.not-found`, or `scan.running` while a scan that does something else is under way */
  async start({ catalogId, mode }: { catalogId: CatalogId; mode: ScanMode }, message: CommandMessage): Promise<StartedScan> {
    await this.#requireCatalog(catalogId);
    const wanted = { catalogId, mode };
    const fresh = randomUUID() as ScanId;
    const { scanId, isRunning } = await this.deps.leases.reserve(catalogId, fresh);
    if (scanId === fresh) return { ...(await this.#request(fresh, wanted, message)), alreadyRunning: false };
    const { state } = await this.deps.aggregates.load(scanAggregate, scanId);
    // One without events was reserved and never requested: it is still to come.
    if (state.status !== 'unknown' && !isOpen(state)) {
      if (!(await this.deps.leases.replace(catalogId, scanId, fresh))) return this.start(wanted, message);
      return { ...(await this.#request(fresh, wanted, message)), alreadyRunning: false };
    }
    if (state.status !== 'unknown' && !does(state.mode, mode))
      throw new Rejection(
        'scan.running',
        `a scan of this catalog that does something else (${state.mode}) is under way`,
        String(catalogId),
      );
    // Nobody works on it: its job may have got lost between the event and the queue, so it is queued again. A second job finds the first's lease.
    const own = { catalogId, mode: state.status === 'unknown' ? mode : state.mode };
    if (!isRunning) return { ...(await this.#request(scanId, own, message)), alreadyRunning: true };
    return { scanId, alreadyRunning: true, positions: [] };
  }

  async #request(
    scanId: ScanId,
    { catalogId, mode }: { catalogId: CatalogId; mode: ScanMode },
    message: CommandMessage,
  ): Promise<{ scanId: ScanId; positions: readonly LogPosition[] }> {
    const { id, actor, correlationId, traceparent, at } = message;
    const context = { actor, correlationId, causationId: id, ...(traceparent ? { traceparent } : {}) };
    const { position } = await this.deps.aggregates.run([decision(scanAggregate, scanId, { type: 'request', scanId, catalogId, mode })], {
      ...context,
      at,
    });
    await this.deps.jobs.enqueue(scanCatalog, scanId, { scanId, catalogId, mode }, context);
    return { scanId, positions: position ? [position] : [] };
  }

  async #requireCatalog(catalogId: CatalogId): Promise<void> {
    const catalog = await poll(() => catalogById(this.deps.db, catalogId), { everyMs: LOOK_AGAIN_MS, withinMs: CATALOG_PATIENCE_MS });
    if (catalog === undefined) throw new Rejection('catalog.not-found', undefined, String(catalogId));
  }
}
