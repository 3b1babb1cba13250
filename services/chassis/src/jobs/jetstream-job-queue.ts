import type { JobDefinition, MessageContext } from '@continuo/contracts';
import type { JetStreamClient } from '@nats-io/jetstream';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { z } from 'zod';
import { inSpan, noTelemetry } from '../telemetry/tracing.js';
import { encodeMessage, traceHeaders } from '../transport/message.js';
import type { JobQueue } from './job-queue.js';

const TIMEOUT_MS = 5000;
/** Tries while no stream answers for the subject: the owning service may be starting, or NATS electing a leader. */
const TRIES = 8;

/** Puts jobs on the JetStream work queues. */
export class JetStreamJobQueue implements JobQueue {
  readonly #jetstream: JetStreamClient;
  readonly #tracer: Tracer;

  constructor(jetstream: JetStreamClient, tracer: Tracer = noTelemetry.tracer) {
    this.#jetstream = jetstream;
    this.#tracer = tracer;
  }

  async enqueue<S extends z.ZodType>(job: JobDefinition<S>, jobId: string, data: z.input<S>, context: MessageContext): Promise<void> {
    const spec = { name: job.subject, kind: SpanKind.PRODUCER, traceparent: context.traceparent };
    await inSpan(this.#tracer, spec, async (traceparent) => {
      const { actor, correlationId, causationId } = context;
      const headers = traceHeaders(traceparent);
      await this.#jetstream.publish(job.subject, encodeMessage({ id: jobId, at: Date.now(), actor, correlationId, causationId, data }), {
        // The window is the stream's, which holds several kinds of job.
        msgID: `${job.kind}:${jobId}`,
        timeout: TIMEOUT_MS,
        retries: TRIES,
        ...(headers ? { headers } : {}),
      });
    });
  }
}
