import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  HandlesEvents,
  HandlesJob,
  JOBS,
  type Handled,
  type JobDelivery,
  type JobQueue,
  type RecordedOf,
} from '@continuo/chassis';
import { analyseSounds, cancelSonicRun, sonicRunRequested, startSonicRun, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { SONIC_PARTS, type SonicParts } from '../sonic-parts.js';
import { MAX_PART_ATTEMPTS, PartWorker, type PartJob } from './part-worker.js';
import { runAggregate } from './run.decider.js';
import { startRun } from './run-start.js';

/** Jobs that are sent to the queue before the answers to them are waited for. */
const QUEUED_AT_ONCE = 100;

/** Takes, queues, works on and cancels runs of the analysis. */
@Controller()
export class RunController {
  readonly #worker: PartWorker;

  constructor(
    @Inject(SONIC_PARTS) private readonly parts: SonicParts,
    @Inject(JOBS) private readonly jobs: JobQueue,
  ) {
    this.#worker = new PartWorker(parts);
  }

  @HandlesCommand(startSonicRun)
  async start(message: CommandMessage<z.output<typeof startSonicRun.schema>>): Promise<Handled<z.input<typeof startSonicRun.result>>> {
    const { runId, positions } = await startRun(this.parts, message.data, { ...decisionMeta(message), commandId: message.id });
    return { result: { runId }, positions };
  }

  /** Workers notice within a second. */
  @HandlesCommand(cancelSonicRun)
  async cancel(message: CommandMessage<z.output<typeof cancelSonicRun.schema>>): Promise<Handled<Record<string, never>>> {
    const cancelling = decision(runAggregate, message.data.runId, { type: 'cancel' });
    return done(this.parts.aggregates.run([cancelling], decisionMeta(message)));
  }

  /** Behind the event and not the command, so that no crash leaves a run without its jobs; a job too many finds its songs known. */
  @HandlesEvents('sonic', 'queue-runs', [sonicRunRequested], { startFrom: 'all', aggregates: [runAggregate.kind] })
  async queue({ data: { runId, parts }, id }: RecordedOf<typeof sonicRunRequested>, delivery: JobDelivery): Promise<void> {
    for (let from = 0; from < parts; from += QUEUED_AT_ONCE) {
      delivery.signal.throwIfAborted();
      const some = Array.from({ length: Math.min(QUEUED_AT_ONCE, parts - from) }, (_, n) =>
        this.jobs.enqueue(analyseSounds, `${runId}.${from + n}`, { runId, part: from + n }, { ...delivery, causationId: id }),
      );
      await Promise.all(some);
    }
  }

  @HandlesJob(analyseSounds, { ackWaitMs: 8000, maxAttempts: MAX_PART_ATTEMPTS })
  analyse(job: PartJob, delivery: JobDelivery): Promise<void> {
    return this.#worker.run(job, delivery);
  }
}
