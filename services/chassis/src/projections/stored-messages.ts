import type { EventStreamName } from '@continuo/contracts';
import { DeliverPolicy, jetstream, jetstreamManager, type Consumer, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { sizeOf, without, type Gap } from '../event-store/integrity/gaps.js';
import { missingText } from '../event-store/integrity/inspect-stream.js';
import { LogDamaged } from '../event-store/integrity/log-damaged.js';
import { streamState } from '../event-store/streams.js';
import { onStatus } from '../transport/on-status.js';
import { pullTerms } from '../transport/pull-terms.js';
import { watchForStall } from './stall-watch.js';
import { WaitingReaders } from './waiting-readers.js';

/** Bytes read ahead. */
const READ_AHEAD_BYTES = 8 * 1024 * 1024;
/** Less than the interval of the watch over readers, so that each of its checks reads once for all of them. */
const POSITION_FRESH_MS = 1800;

/** A message of an event stream, and how many follow at the moment. */
export interface FollowedMessage {
  readonly message: JsMsg;
  readonly pending: number;
}

/**
 * Reads every message of a stream after a position, in order. Ends when `signal` fires. When the connection to NATS comes back, the rest is asked for anew at once: the client's own
 * recovery may rest for half a minute. `undefined` says that messages were announced and did not come, so that nobody keeps what came before for company.
 * Event streams never delete: a position that does not come is lost.
 * @throws LogDamaged before a position that is missing, unless its loss was accepted
 * @throws Error when the stream cannot be read, or the connection is closed for good
 */
export async function* storedMessages(
  nats: NatsConnection,
  stream: EventStreamName,
  afterPosition: number,
  signal: AbortSignal,
): AsyncGenerator<FollowedMessage | undefined> {
  const reader = new ReopeningReader(nats, stream);
  const unwatch = onStatus(nats, 'reconnect', () => reader.reopen());
  const close = (): void => reader.stop();
  signal.addEventListener('abort', close, { once: true });
  let arrived = afterPosition;
  let isWorking = false;
  const endWatch = watchForStall({
    arrived: () => arrived,
    isWorking: () => isWorking,
    isAwaited: () => WaitingReaders.of(nats).isAwaited(stream),
    lastPosition: () => lastReadable(nats, stream),
    onStall: () => reader.reopen(),
  });
  try {
    while (!signal.aborted) {
      const messages = await reader.open(arrived);
      // The server counts as pending what it cannot give, and goes on doing so: the count would never come down to nothing.
      const lost = await lossAfter(nats, stream, arrived);
      let uncountable = sizeOf(lost);
      for await (const message of messages) {
        if (signal.aborted) return;
        isWorking = true;
        const { seq } = message;
        if (seq > arrived + 1) {
          const gap = { from: arrived + 1, to: seq - 1 };
          await acceptedOrDamaged(nats, stream, gap);
          uncountable += sizeOf(without([gap], lost));
        }
        arrived = seq;
        yield { message, pending: Math.max(0, message.info.pending - uncountable) };
        isWorking = false;
      }
      if (nats.isClosed() && !signal.aborted) throw new Error(`${stream} cannot be read any more: the connection to NATS is closed`);
      yield undefined;
    }
  } finally {
    signal.removeEventListener('abort', close);
    endWatch();
    unwatch();
    await reader.close();
  }
}

/** Positions that were read lately, for all readers of a stream in a process. */
const recentPositions = new WeakMap<
  NatsConnection,
  Map<EventStreamName, { readonly readAtMs: number; readonly position: Promise<number> }>
>();

/** Last position of a stream that can be read; up to two seconds old. */
export const lastReadable = (nats: NatsConnection, stream: EventStreamName): Promise<number> => {
  const recent = recentPositions.get(nats) ?? new Map();
  recentPositions.set(nats, recent);
  const known = recent.get(stream);
  if (known && performance.now() - known.readAtMs < POSITION_FRESH_MS) return known.position;
  const position = jetstreamManager(nats, { checkAPI: false }).then(async (manager) => (await streamState(manager, stream)).lastReadable);
  recent.set(stream, { readAtMs: performance.now(), position });
  position.catch(() => recent.delete(stream));
  return position;
};

/** Positions after another one whose loss an operator has accepted. */
const lossAfter = async (nats: NatsConnection, stream: EventStreamName, position: number): Promise<Gap[]> => {
  const { acceptedLoss } = await streamState(await jetstreamManager(nats, { checkAPI: false }), stream);
  return without(acceptedLoss, [{ from: 1, to: position }]);
};

/** @throws LogDamaged unless an operator has accepted that these positions are lost */
const acceptedOrDamaged = async (nats: NatsConnection, stream: EventStreamName, gap: Gap): Promise<void> => {
  const { acceptedLoss } = await streamState(await jetstreamManager(nats), stream);
  const missing = without([gap], acceptedLoss);
  if (missing.length > 0) throw new LogDamaged(stream, missingText(missing));
};

/** One ordered consumer at a time; stopping it ends its messages, so that the next one can be opened where they stood. */
class ReopeningReader {
  readonly #nats: NatsConnection;
  readonly #stream: EventStreamName;
  #consumer: Consumer | undefined;
  #messages: ConsumerMessages | undefined;
  #isStopped = false;
  #isOutdated = false;

  constructor(nats: NatsConnection, stream: EventStreamName) {
    this.#nats = nats;
    this.#stream = stream;
  }

  async open(afterPosition: number): Promise<ConsumerMessages> {
    await this.close();
    this.#isOutdated = false;
    const consumer = await jetstream(this.#nats).consumers.get(this.#stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: afterPosition + 1,
    });
    const messages = await consumer.consume({ max_bytes: READ_AHEAD_BYTES, ...pullTerms(this.#nats) });
    this.#consumer = consumer;
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
    this.#messages = undefined;
    // The server would keep it for minutes. Without an answer it does so: nothing is waited for.
    if (!this.#nats.isClosed()) void this.#consumer?.delete().catch(() => undefined);
    this.#consumer = undefined;
  }
}
