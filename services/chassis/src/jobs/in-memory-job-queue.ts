import type { CommandMessage, JobDefinition, MessageContext } from '@continuo/contracts';
import type { z } from 'zod';
import { decodeMessage, encodeMessage, traceHeaders } from '../transport/message.js';
import type { JobQueue } from './job-queue.js';

/** A job as it waits in {@link InMemoryJobQueue}. */
export interface QueuedJob {
  readonly subject: string;
  readonly message: CommandMessage;
}

/** A work queue in memory, for specs: jobs stay until the spec takes them. */
export class InMemoryJobQueue implements JobQueue {
  readonly #known = new Set<string>();
  #waiting: QueuedJob[] = [];

  enqueue<S extends z.ZodType>(job: JobDefinition<S>, jobId: string, data: z.input<S>, context: MessageContext): Promise<void> {
    const key = `${job.subject}:${jobId}`;
    if (this.#known.has(key)) return Promise.resolve();
    this.#known.add(key);
    const payload = new TextEncoder().encode(encodeMessage({ ...context, id: jobId, at: Date.now(), data }));
    this.#waiting.push({ subject: job.subject, message: decodeMessage(payload, traceHeaders(context.traceparent), job.schema) });
    return Promise.resolve();
  }

  /** Takes all waiting jobs, oldest first. */
  takeAll(): readonly QueuedJob[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
