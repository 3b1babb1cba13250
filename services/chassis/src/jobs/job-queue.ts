import type { JobDefinition, MessageContext } from '@continuo/contracts';
import type { z } from 'zod';

/** Puts long work on a work queue; it is done by whichever worker of the owning service is free. */
export interface JobQueue {
  /** Queues one job. The same `jobId` within two minutes is queued once. */
  enqueue<S extends z.ZodType>(job: JobDefinition<S>, jobId: string, data: z.input<S>, context: MessageContext): Promise<void>;
}

/** Delivery metadata for the handler of a job or an event. */
export interface JobDelivery extends MessageContext {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Fires when the worker is draining or has lost its claim: stop, and throw unless the work is done. */
  readonly signal: AbortSignal;
}

/** Throw this when an attempt failed by nobody's fault here: it counts, is a warning in the log, and the next attempt comes after this pause. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  constructor(
    readonly delayMs: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Throw this to have a job or an event again after a delay; it counts as no attempt and is no error in the log. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  constructor(
    readonly delayMs: number,
    message = 'it will be tried again later',
  ) {
    super(message);
  }
}
