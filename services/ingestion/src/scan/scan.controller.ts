import { decision, HandlesCommand, HandlesJob, AGGREGATES, type AggregateRunner, type Handled, type JobDelivery } from '@continuo/chassis';
import { cancelScan, scanCatalog, startScan, type CatalogId, type CommandMessage, type ScanId, type ScanMode } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { scanAggregate } from './scan.decider.js';
import { ScanLeases } from './scan-lease.js';
import { ScanStart } from './scan-start.js';
import { MAX_SCAN_ATTEMPTS, ScanWorker } from './scan-worker.js';

/** A worker notices a cancellation within a second, and ends what it has under way. */
const WORKER_STOPS_WITHIN_MS = 4000;

/** Starts, runs and cancels scans. */
@Controller()
export class ScanController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(ScanLeases) private readonly leases: ScanLeases,
    @Inject(ScanStart) private readonly starts: ScanStart,
    @Inject(ScanWorker) private readonly worker: ScanWorker,
  ) {}

  @HandlesCommand(startScan)
  async start(message: CommandMessage<z.output<typeof startScan.schema>>): Promise<Handled<z.input<typeof startScan.result>>> {
    const { positions, ...result } = await this.starts.start(message.data, message);
    return { result, positions };
  }

  /** Ends the scan at once; its worker notices within a second and stops. What it recorded stays. */
  @HandlesCommand(cancelScan)
  async cancel(message: CommandMessage<z.output<typeof cancelScan.schema>>): Promise<Handled<z.input<typeof cancelScan.result>>> {
    const { scanId, andWait } = message.data;
    const meta = { actor: message.actor, correlationId: message.correlationId, causationId: message.id, at: message.at };
    const { position } = await this.aggregates.run([decision(scanAggregate, scanId, { type: 'cancel' })], meta);
    const { state } = await this.aggregates.load(scanAggregate, scanId);
    // Only a reservation that nobody works on goes here; a worker gives its lease back itself.
    if (state.catalogId !== undefined) await this.leases.forget(state.catalogId, scanId);
    if (andWait && state.catalogId !== undefined) await this.leases.untilFree(state.catalogId, scanId, WORKER_STOPS_WITHIN_MS);
    return { result: {}, positions: position ? [position] : [] };
  }

  @HandlesJob(scanCatalog, { concurrency: 2, ackWaitMs: 8000, maxAttempts: MAX_SCAN_ATTEMPTS })
  run(data: { scanId: ScanId; catalogId: CatalogId; mode: ScanMode }, delivery: JobDelivery): Promise<void> {
    return this.worker.run(data, delivery);
  }
}
