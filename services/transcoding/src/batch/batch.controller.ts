import { createHash } from 'node:crypto';
import {
  decision,
  decisionMeta,
  HandlesCommand,
  HandlesEvents,
  HandlesJob,
  AGGREGATES,
  JOBS,
  positionsOf,
  type AggregateRunner,
  type Handled,
  type JobDelivery,
  type JobQueue,
  type RecordedOf,
} from '@continuo/chassis';
import {
  cancelTranscodeBatch,
  startTranscodeBatch,
  transcodeBatchId,
  transcodeBatchRequested,
  transcodeOne,
  type CommandMessage,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { batchAggregate, type BatchCommand } from './batch.decider.js';
import { MAX_ITEM_ATTEMPTS, BatchWorker, type BatchJob } from './batch-worker.js';

/** Jobs that are sent to the queue before the answers to them are waited for. */
const QUEUED_AT_ONCE = 100;

/** Takes, queues, makes and cancels batches. */
@Controller()
export class BatchController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(JOBS) private readonly jobs: JobQueue,
    @Inject(BatchWorker) private readonly worker: BatchWorker,
  ) {}

  @HandlesCommand(startTranscodeBatch)
  async start(
    message: CommandMessage<z.output<typeof startTranscodeBatch.schema>>,
  ): Promise<Handled<z.input<typeof startTranscodeBatch.result>>> {
    // From the command's id, so that the same command finds its batch again.
    const batchId = transcodeBatchId.parse(createHash('sha256').update(message.id).digest('hex').slice(0, 32));
    return { result: { batchId }, positions: await this.#run(batchId, { type: 'request', batchId, ...message.data }, message) };
  }

  /** Workers notice within a second. */
  @HandlesCommand(cancelTranscodeBatch)
  async cancel(message: CommandMessage<z.output<typeof cancelTranscodeBatch.schema>>): Promise<Handled<Record<string, never>>> {
    return { result: {}, positions: await this.#run(message.data.batchId, { type: 'cancel' }, message) };
  }

  /** Behind the event and not the command, so that no crash leaves a batch without its jobs; a job too many finds its medium done. */
  @HandlesEvents('transcode', 'queue-batches', [transcodeBatchRequested], { startFrom: 'all', aggregates: [batchAggregate.kind] })
  async queue({ data, id }: RecordedOf<typeof transcodeBatchRequested>, delivery: JobDelivery): Promise<void> {
    const { batchId, items, profile } = data;
    for (let from = 0; from < items.length; from += QUEUED_AT_ONCE) {
      delivery.signal.throwIfAborted();
      const part = items.slice(from, from + QUEUED_AT_ONCE).map((item, n) => {
        const index = from + n;
        return this.jobs.enqueue(transcodeOne, `${batchId}.${index}`, { batchId, index, item, profile }, { ...delivery, causationId: id });
      });
      await Promise.all(part);
    }
  }

  @HandlesJob(transcodeOne, { ackWaitMs: 8000, maxAttempts: MAX_ITEM_ATTEMPTS })
  transcode(job: BatchJob, delivery: JobDelivery): Promise<void> {
    return this.worker.run(job, delivery);
  }

  async #run(batchId: string, command: BatchCommand, message: CommandMessage) {
    return positionsOf(await this.aggregates.run([decision(batchAggregate, batchId, command)], decisionMeta(message)));
  }
}
