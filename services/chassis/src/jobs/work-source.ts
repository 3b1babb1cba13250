import type { MessageContext } from '@continuo/contracts';
import type { ConsumerConfig, JsMsg } from '@nats-io/jetstream';
import type { DeadLetterAddress } from './dead-letters.js';

/** A message as its handler gets it. */
export interface Work {
  readonly id: string;
  /** Names the message in the book of hand-backs. */
  readonly key: string;
  readonly payload: unknown;
  /** Goes into what the work causes. */
  readonly context: MessageContext;
}

/** What a worker makes of a message: something to do, nothing to do, or something that nobody can read. */
export type Reading = { readonly work: Work } | 'skip' | { readonly undecodable: string };

/** Where a worker takes its messages from and how it reads them. */
export interface WorkSource {
  /** What one message is called in the log. */
  readonly noun: 'job' | 'event';
  /** The kind of work, in logs and metrics. */
  readonly label: string;
  readonly stream: string;
  /** Name of the consumer that all replicas share. */
  readonly durable: string;
  /** Where a consumer starts that is new. */
  readonly start: Pick<ConsumerConfig, 'deliver_policy'> & Partial<Pick<ConsumerConfig, 'opt_start_seq'>>;
  /** Settings that a later release may change. */
  readonly settings: Partial<ConsumerConfig>;
  readonly read: (message: JsMsg) => Reading;
  /** Where the dead letter of a message goes when it is replayed; its own subject, when absent. */
  readonly addressOf?: (message: JsMsg) => DeadLetterAddress;
}

/** Limits of a worker, see `JobOptions`. */
export interface WorkLimits {
  readonly concurrency: number;
  readonly ackWaitMs: number;
  readonly maxAttempts: number;
}
