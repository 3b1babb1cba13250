import type { EventStreamName } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { EventQueue, StreamEvent, type EventBatch, type EventSelection } from './event-queue.js';
import { lastReadable, storedMessages } from './stored-messages.js';
import { StreamTail } from './stream-tail.js';

export type { EventBatch } from './event-queue.js';

/** A reader that is not further behind joins the others at the end of the stream. */
const NEAR_EVENTS = 1000;
/** Positions after which a reader hears how far it is although it handles nothing of what came. */
const TOLD_EVERY = 5000;

/** Options of {@link eventBatches}. */
export interface EventBatchOptions extends EventSelection {
  readonly signal: AbortSignal;
}

/**
 * Reads a stream from a position onwards in batches: as much as is there, up to a size that suits one transaction. Ends when `signal` fires. All readers of a process share one consumer at
 * the end of a stream; one that is far behind has its own until it gets there. Every message is received, also of events that nobody here handles: that is how gaps are noticed.
 * @throws LogDamaged after the batch before a position that is missing, unless its loss was accepted
 * @throws NewerEvent after the batch before an event of a newer release, unless these are left out
 * @throws Error when the stream cannot be read, or the connection is closed for good
 */
export async function* eventBatches(
  nats: NatsConnection,
  stream: EventStreamName,
  afterPosition: number,
  { signal, ...selection }: EventBatchOptions,
): AsyncGenerator<EventBatch> {
  let position = afterPosition;
  let isNear = (await lastReadable(nats, stream)) - position <= NEAR_EVENTS;
  while (!signal.aborted) {
    const tail = isNear ? StreamTail.atOrFrom(nats, stream, position) : StreamTail.at(nats, stream, position);
    const queue = new EventQueue(selection, position);
    yield* tail ? fromTail(tail, queue, signal) : alone(nats, stream, queue, signal);
    position = queue.position;
    isNear = tail === undefined;
  }
}

/** Batches from the shared reader, until it leaves this one behind. */
async function* fromTail(tail: StreamTail, queue: EventQueue, signal: AbortSignal): AsyncGenerator<EventBatch> {
  const end = (): void => queue.end();
  signal.addEventListener('abort', end, { once: true });
  tail.join(queue);
  try {
    for (let batch = await queue.next(); batch && !signal.aborted; batch = await queue.next()) yield batch;
  } finally {
    signal.removeEventListener('abort', end);
    tail.leave(queue);
  }
}

/** Batches from a consumer of its own, until the end of the stream, where others may read already. */
async function* alone(nats: NatsConnection, stream: EventStreamName, queue: EventQueue, signal: AbortSignal): AsyncGenerator<EventBatch> {
  let told = queue.position;
  try {
    for await (const next of storedMessages(nats, stream, queue.position, signal)) {
      if (next) queue.add(new StreamEvent(stream, next.message));
      const isEnd = !next || next.pending === 0;
      if (!isEnd && !queue.isBatch && queue.position - told < TOLD_EVERY) continue;
      queue.offer(next?.pending ?? 0);
      for (let batch = queue.poll(); batch; batch = queue.poll()) yield batch;
      told = queue.position;
      if (isEnd || StreamTail.at(nats, stream, queue.position)) return;
    }
  } catch (error) {
    // What came before the gap, or before the event of a newer release, is whole.
    for (let batch = queue.poll(); batch; batch = queue.poll()) yield batch;
    throw error;
  }
}
