import { REACTION_STREAM } from '@continuo/chassis';
import { DEAD_LETTER_STREAM, jobStreams } from '@continuo/contracts';
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Session } from '../connect/session.js';

/** A work queue, or who takes jobs or events from one: how many wait, are at work, and were given out more than once. */
export interface QueueState {
  readonly queue: string;
  /** Messages that the queue holds. */
  readonly depth: number;
  readonly bytes: number;
  /** Time of the oldest message, epoch milliseconds; null when it is empty. */
  readonly oldestAtMs: number | null;
  readonly consumers: readonly QueueConsumer[];
}

/** One kind of work of a queue. */
export interface QueueConsumer {
  readonly name: string;
  /** Jobs that nobody has taken yet. */
  readonly waiting: number;
  readonly inWork: number;
  /** Of those at work, the ones that were given out more than once. */
  readonly redelivered: number;
  /** Requests for work that wait for some: without them nobody takes what waits. */
  readonly idleWorkers: number;
}

const consumerOf = ({ name, num_pending, num_ack_pending, num_redelivered, num_waiting }: ConsumerInfo): QueueConsumer => ({
  name,
  waiting: num_pending,
  inWork: num_ack_pending,
  redelivered: num_redelivered,
  idleWorkers: num_waiting,
});

/** Names of the queues: jobs by context, events that reactors have to see again, and dead letters. */
export const queueNames: readonly string[] = [...Object.values(jobStreams), REACTION_STREAM, DEAD_LETTER_STREAM].toSorted();

/** State of one queue; undefined when its service has not made it yet. */
export const queueState = async ({ manager }: Pick<Session, 'manager'>, queue: string): Promise<QueueState | undefined> => {
  const info = await manager.streams.info(queue).catch((error: unknown) => {
    if (error instanceof Error && /not found/i.test(error.message)) return undefined;
    throw error;
  });
  if (!info) return undefined;
  const consumers: QueueConsumer[] = [];
  for await (const consumer of manager.consumers.list(queue)) if (consumer.config.durable_name) consumers.push(consumerOf(consumer));
  const { messages, bytes, first_ts } = info.state;
  return { queue, depth: messages, bytes, oldestAtMs: messages === 0 ? null : Date.parse(first_ts), consumers };
};

/** All queues that there are. */
export const queueStates = async (session: Pick<Session, 'manager'>): Promise<QueueState[]> =>
  (await Promise.all(queueNames.map((queue) => queueState(session, queue)))).filter((state) => state !== undefined);
