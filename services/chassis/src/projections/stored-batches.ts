import type { EventStreamName } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventEnvelope } from '../event-store/headers.js';
import { StreamEvent } from './event-queue.js';
import { storedMessages } from './stored-messages.js';

/** Size of a batch: more would not stay among the objects that die young. */
const BATCH_BYTES = 512 * 1024;

/** A run of events in log order, whose bodies nobody has looked at. */
export interface StoredBatch {
  readonly events: readonly EventEnvelope[];
  /** The bodies, one after the other, and the length of each. */
  readonly bodies: Uint8Array<ArrayBuffer>;
  readonly lengths: readonly number[];
  /** Everything up to here is in this batch or was in one before. */
  readonly position: number;
  /** Events of the stream that follow at the moment, at most. */
  readonly pending: number;
}

/** Options of {@link storedBatches}. */
export interface StoredBatchOptions {
  readonly handles: ReadonlySet<string> | undefined;
  /** The last position; it must exist. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a stream from a position up to another in batches, without the events that are not handled. Ends early when `signal` fires.
 * @throws LogDamaged after the batch before a position that is missing, unless its loss was accepted
 * @throws NewerEvent after the batch before an event of a newer release
 * @throws Error when the stream cannot be read, or the connection is closed for good
 */
export async function* storedBatches(
  nats: NatsConnection,
  stream: EventStreamName,
  afterPosition: number,
  { handles, until, signal }: StoredBatchOptions,
): AsyncGenerator<StoredBatch> {
  let events: StreamEvent[] = [];
  let bytes = 0;
  let position = afterPosition;
  const take = (pending: number): StoredBatch => {
    const batch = { ...withBodies(events), position, pending };
    events = [];
    bytes = 0;
    return batch;
  };
  try {
    for await (const next of storedMessages(nats, stream, afterPosition, signal)) {
      if (!next) continue;
      const event = new StreamEvent(stream, next.message);
      if (event.newer) throw event.newer;
      if (event.isAmong(handles)) {
        events.push(event);
        bytes += event.bytes;
      }
      position = event.position;
      if (bytes >= BATCH_BYTES || position >= until) yield take(next.pending);
      if (position >= until) return;
    }
  } catch (error) {
    // What came before is whole.
    if (events.length > 0) yield take(0);
    throw error;
  }
}

const withBodies = (events: readonly StreamEvent[]): Pick<StoredBatch, 'events' | 'bodies' | 'lengths'> => {
  const lengths = events.map(({ bytes }) => bytes);
  const bodies = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const { body } of events) {
    bodies.set(body, at);
    at += body.byteLength;
  }
  return { events: events.map((event) => event.envelope()), bodies, lengths };
};
