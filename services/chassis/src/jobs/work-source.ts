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

/** Result of decoding a message: work, nothing to do, or undecodable. */
export type Reading = { readonly work: Work } | 'skip' | { readonly undecodable: string };

/** Source of a worker's messages, and their decoder. */
export interface WorkSource {
  /** Noun for a message in log lines. */
  readonly noun: 'job' | 'event';
  /** The kind of work, in logs and metrics. */
  readonly label: string;
  readonly stream: string;
  /** Name of the consumer that all replicas share. */
  readonly durable: string;
  /** Start position of a new consumer. */
  readonly start: Pick<ConsumerConfig, 'deliver_policy'> & Partial<Pick<ConsumerConfig, 'opt_start_seq'>>;
  /** Settings that a later release may change. */
  readonly settings: Partial<ConsumerConfig>;
  readonly read: (message: JsMsg) => Reading;
  /**
   * Looks whether a message may be dealt with, also one that would be skipped; rejects with the reason when it has to wait. Absent where it always may.
   */
  readonly insist?: (message: JsMsg) => Promise<void>;
  /** Address of a replayed dead letter; its own subject, when absent. */
  readonly addressOf?: (message: JsMsg) => DeadLetterAddress;
}

/** Limits of a worker, see `JobOptions`. */
export interface WorkLimits {
  readonly concurrency: number;
  readonly ackWaitMs: number;
  readonly maxAttempts: number;
}
