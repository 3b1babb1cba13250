import type { EventStreamName, RecordedEvent } from '@continuo/contracts';
import { DeliverPolicy, jetstream, jetstreamManager, type ConsumerMessages } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { NewerEvent, upcastPublished } from '../event-store/catalogue.js';
import { decodeEvent, type StoredMessage } from '../event-store/headers.js';
import { watchForStall } from './stall-watch.js';

/** How much is read ahead, and how much one transaction takes. */
const READ_AHEAD_BYTES = 16 * 1024 * 1024;
/** A consumer that is silent for twice this long is looked after. */
const IDLE_HEARTBEAT_MS = 5000;
const MAX_BATCH_EVENTS = 1000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** A run of events in log order, and how many follow at the moment. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly pending: number;
}

/** What becomes of events of a newer release: a reader that keeps tables must stop before them, one that only tells of events leaves them out. */
export type NewerEvents = 'stop' | 'leave-out';

/**
 * Reads a stream from a position onwards in batches: as much as is there, up to a size that suits one transaction. Ends when `signal` fires.
 * When the connection to NATS comes back, the rest is asked for anew at once: the client's own recovery may rest for half a minute.
 * @throws NewerEvent after the batch before an event of a newer release, unless these are left out
 * @throws Error when the stream cannot be read, or the connection is closed for good
 */
export async function* eventBatches(
  nats: NatsConnection,
  stream: EventStreamName,
  afterPosition: number,
  { signal, newer = 'stop' }: { readonly signal: AbortSignal; readonly newer?: NewerEvents },
): AsyncGenerator<EventBatch> {
  const ended = new AbortController();
  const reader = new ReopeningReader(nats, stream);
  void reopenOnReconnect(nats, reader, ended.signal);
  const close = (): void => reader.stop();
  signal.addEventListener('abort', close, { once: true });
  const progress = { arrived: afterPosition, isWorking: false };
  const endWatch = watchForStall({
    arrived: () => progress.arrived,
    isWorking: () => progress.isWorking,
    lastPosition: async () => (await (await jetstreamManager(nats)).streams.info(stream)).state.last_seq,
    onStall: () => reader.reopen(),
  });
  try {
    for (let position = afterPosition; !signal.aborted;) {
      progress.arrived = position;
      const messages = await reader.open(position);
      for await (const batch of batchesOf(messages, stream, { signal, newer }, progress)) {
        progress.isWorking = true;
        yield batch;
        progress.isWorking = false;
        position = batch.events.at(-1)?.position ?? position;
      }
      if (nats.isClosed() && !signal.aborted) throw new Error(`${stream} cannot be read any more: the connection to NATS is closed`);
    }
  } finally {
    signal.removeEventListener('abort', close);
    endWatch();
    ended.abort();
    await reader.close();
  }
}

async function* batchesOf(
  messages: ConsumerMessages,
  stream: EventStreamName,
  { signal, newer }: { readonly signal: AbortSignal; readonly newer: NewerEvents },
  progress: { arrived: number },
): AsyncGenerator<EventBatch> {
  let events: RecordedEvent[] = [];
  let bytes = 0;
  for await (const message of messages) {
    if (signal.aborted) return;
    const { subject, seq, data, headers: header } = message;
    const event = decodedOrNewer(stream, { subject, seq, data, header });
    if (!(event instanceof NewerEvent)) events.push(event);
    else if (newer === 'stop') {
      if (events.length > 0) yield { events, pending: message.info.pending + 1 };
      throw event;
    }
    bytes += data.byteLength;
    progress.arrived = seq;
    const { pending } = message.info;
    if (pending > 0 && events.length < MAX_BATCH_EVENTS && bytes < MAX_BATCH_BYTES) continue;
    yield { events, pending };
    events = [];
    bytes = 0;
  }
}

const decodedOrNewer = (stream: EventStreamName, message: StoredMessage): RecordedEvent | NewerEvent => {
  try {
    return decodeEvent(stream, message, upcastPublished);
  } catch (error) {
    if (error instanceof NewerEvent) return error;
    throw error;
  }
};

/** One ordered consumer at a time; stopping it ends its messages, so that the next one can be opened where they stood. */
class ReopeningReader {
  readonly #nats: NatsConnection;
  readonly #stream: EventStreamName;
  #messages: ConsumerMessages | undefined;
  #isStopped = false;
  #isOutdated = false;

  constructor(nats: NatsConnection, stream: EventStreamName) {
    this.#nats = nats;
    this.#stream = stream;
  }

  async open(afterPosition: number): Promise<ConsumerMessages> {
    await this.#messages?.close();
    this.#isOutdated = false;
    const consumer = await jetstream(this.#nats).consumers.get(this.#stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: afterPosition + 1,
    });
    const messages = await consumer.consume({ max_bytes: READ_AHEAD_BYTES, idle_heartbeat: IDLE_HEARTBEAT_MS });
    this.#messages = messages;
    // The connection may have come and gone while the consumer was made.
    if (this.#isStopped || this.#isOutdated) messages.stop();
    return messages;
  }

  /** Ends the present messages; the next `open` goes on. */
  reopen(): void {
    this.#isOutdated = true;
    this.#messages?.stop();
  }

  stop(): void {
    this.#isStopped = true;
    this.#messages?.stop();
  }

  async close(): Promise<void> {
    await this.#messages?.close();
  }
}

/** Ends with the first status after `signal`; a connection that stays as it is keeps one waiting listener and nothing more. */
const reopenOnReconnect = async (nats: NatsConnection, reader: ReopeningReader, signal: AbortSignal): Promise<void> => {
  for await (const status of nats.status()) {
    if (signal.aborted) return;
    if (status.type === 'reconnect') reader.reopen();
  }
};
