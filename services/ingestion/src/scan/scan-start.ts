import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decision, type AggregateRunner, type JobQueue } from '@continuo/chassis';
import {
  Rejection,
  scanCatalog,
  type CatalogId,
  type CommandMessage,
  type LogPosition,
  type ReadModel,
  type ScanId,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { catalogById } from './known-folders.reads.js';
import { isOpen, scanAggregate } from './scan.decider.js';
import type { ScanLeases } from './scan-lease.js';

export interface StartTools {
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

/** Requests a scan unless one is queued or running, and puts it on the work queue. Safe to repeat at any point. */
export class ScanStart {
  constructor(private readonly tools: StartTools) {}

  /** @throws Rejection `catalog.not-found` */
  async start(catalogId: CatalogId, message: CommandMessage): Promise<StartedScan> {
    await this.#requireCatalog(catalogId);
    const fresh = randomUUID() as ScanId;
    const { scanId, isRunning } = await this.tools.leases.reserve(catalogId, fresh);
    if (scanId === fresh) return { ...(await this.#request(fresh, catalogId, message)), alreadyRunning: false };
    if (await this.#isOver(scanId)) {
      if (!(await this.tools.leases.replace(catalogId, scanId, fresh))) return this.start(catalogId, message);
      return { ...(await this.#request(fresh, catalogId, message)), alreadyRunning: false };
    }
    // Nobody works on it: its job may have got lost between the event and the queue, so it is queued again. A second job finds the first's lease.
    if (!isRunning) return { ...(await this.#request(scanId, catalogId, message)), alreadyRunning: true };
    return { scanId, alreadyRunning: true, positions: [] };
  }

  async #request(
    scanId: ScanId,
    catalogId: CatalogId,
    message: CommandMessage,
  ): Promise<{ scanId: ScanId; positions: readonly LogPosition[] }> {
    const { id, actor, correlationId, traceparent, at } = message;
    const context = { actor, correlationId, causationId: id, ...(traceparent ? { traceparent } : {}) };
    const { position } = await this.tools.aggregates.run([decision(scanAggregate, scanId, { type: 'request', scanId, catalogId })], {
      ...context,
      at,
    });
    await this.tools.jobs.enqueue(scanCatalog, scanId, { scanId, catalogId }, context);
    return { scanId, positions: position ? [position] : [] };
  }

  /** True for a scan that has ended. One without events was reserved and never requested: it is still to come. */
  async #isOver(scanId: ScanId): Promise<boolean> {
    const { state } = await this.tools.aggregates.load(scanAggregate, scanId);
    return state.status !== 'unknown' && !isOpen(state);
  }

  async #requireCatalog(catalogId: CatalogId): Promise<void> {
    const until = performance.now() + CATALOG_PATIENCE_MS;
    while ((await catalogById(this.tools.db, catalogId)) === undefined) {
      if (performance.now() > until) throw new Rejection('catalog.not-found', undefined, String(catalogId));
      await delay(LOOK_AGAIN_MS);
    }
  }
}
