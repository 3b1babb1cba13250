import { Rejection, type JobDefinition, type MessageContext } from '@continuo/contracts';
import { JetStreamApiError, type JetStreamClient, type JetStreamPublishOptions } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { z } from 'zod';
import { retry } from '../retry.js';
import { inSpan, noTelemetry } from '../telemetry/tracing.js';
import { encodeMessage, traceHeaders } from '../transport/message.js';
import type { JobQueue } from './job-queue.js';

/** One try; a publication that was on its way when the connection broke is answered by nobody. */
const TRY_MS = 1500;
/** All tries together. */
const TOTAL_MS = 10_000;
const PAUSE_MS = 200;

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
      const payload = encodeMessage({ id: jobId, at: Date.now(), actor, correlationId, causationId, data });
      // The window of message ids is the stream's, which holds several kinds of job.
      await this.#publish(job.subject, payload, { msgID: `${job.kind}:${jobId}`, timeout: TRY_MS, ...(headers ? { headers } : {}) });
    });
  }

  /** Publishes until it is confirmed: the stream may not be there yet, or NATS be electing a leader. The message id makes a second try harmless. */
  async #publish(subject: string, payload: string, options: Partial<JetStreamPublishOptions>): Promise<void> {
    const isTransient = (error: unknown): boolean => !(error instanceof JetStreamApiError || error instanceof errors.InvalidArgumentError);
    const publish = (): Promise<unknown> => this.#jetstream.publish(subject, payload, options);
    await retry(publish, { pauseMs: () => PAUSE_MS, withinMs: TOTAL_MS, isTransient }).catch((cause: unknown) => {
      throw isTransient(cause) ? new Rejection('unavailable', `no work queue took ${subject}`, undefined, { cause }) : cause;
    });
  }
}
