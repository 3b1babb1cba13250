import type { EventStreamName, RecordedEvent } from '@continuo/contracts';
import { DeliverPolicy, jetstream, type ConsumerMessages, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { upcastPublished } from '../event-store/catalogue.js';
import { decodeEvent } from '../event-store/headers.js';

/** How much is read ahead, and how much one transaction takes. */
const READ_AHEAD_BYTES = 16 * 1024 * 1024;
const MAX_BATCH_EVENTS = 1000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** A run of events in log order, and how many follow at the moment. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly pending: number;
}

/**
 * Reads a stream from a position onwards in batches: as much as is there, up to a size that suits one transaction. Ends when `signal` fires.
 */
export async function* eventBatches(
  nats: NatsConnection,
  stream: EventStreamName,
  afterPosition: number,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  const messages = await openConsumer(jetstream(nats), stream, afterPosition);
  const close = (): void => {
    messages.stop();
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    let events: RecordedEvent[] = [];
    let bytes = 0;
    for await (const message of messages) {
      if (signal.aborted) return;
      events.push(
        decodeEvent(
          stream,
          {
            subject: message.subject,
            seq: message.seq,
            data: message.data,
            header: message.headers,
          },
          upcastPublished,
        ),
      );
      bytes += message.data.byteLength;
      const { pending } = message.info;
      if (pending > 0 && events.length < MAX_BATCH_EVENTS && bytes < MAX_BATCH_BYTES) continue;
      yield { events, pending };
      events = [];
      bytes = 0;
    }
  } finally {
    signal.removeEventListener('abort', close);
    await messages.close();
  }
}

const openConsumer = async (client: JetStreamClient, stream: EventStreamName, afterPosition: number): Promise<ConsumerMessages> => {
  const consumer = await client.consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: afterPosition + 1,
  });
  return consumer.consume({ max_bytes: READ_AHEAD_BYTES });
};
