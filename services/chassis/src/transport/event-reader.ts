import { eventStreams, upcast, type EventDefinition, type EventStreamName, type RecordedEvent } from '@continuo/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { isKnownEvent } from '../event-store/catalogue.js';
import { decodeEvent, type StoredMessage, type Upcaster } from '../event-store/headers.js';
import type { DeadLetterAddress } from '../jobs/dead-letters.js';
import type { WorkHandler } from '../jobs/delivery-run.js';
import { RetryLater } from '../jobs/job-queue.js';
import { reactionSubject } from '../jobs/job-streams.js';
import type { Reading } from '../jobs/work-source.js';
import type { NamedEvent, Reaction } from './handlers.js';

/** Headers that say where a replayed event stands in the log. */
export const origin = {
  stream: 'Continuo-Event-Stream',
  subject: 'Continuo-Event-Subject',
  position: 'Continuo-Event-Position',
} as const;

/** A replica of the newer release is there already or comes soon; the event waits for it, however long that takes. */
const NEWER_RELEASE_MS = 3000;

const NO_DATA = new TextEncoder().encode('null');
const asStored: Upcaster = (_, v, data) => ({ v, data });

/** Reads the events of one reactor, from the log and from the queue of replays, and hands them to its handler. */
export class EventReader {
  readonly #durable: string;
  readonly #stream: EventStreamName;
  readonly #definitions: ReadonlyMap<string, NamedEvent>;
  readonly #handler: WorkHandler;

  constructor(durable: string, { context, definitions }: Reaction, handler: WorkHandler) {
    this.#durable = durable;
    this.#stream = eventStreams[context];
    this.#definitions = new Map(definitions.map((definition) => [definition.type, definition]));
    this.#handler = handler;
  }

  /** An event as the log holds it. */
  fromLog(message: JsMsg): Reading {
    return this.#read(message, { subject: message.subject, seq: message.seq, data: message.data, header: message.headers });
  }

  /** An event from the dead letters, as it stood in the log. */
  fromReplay(message: JsMsg): Reading {
    const h = message.headers;
    const [stream, subject, seq] = [h?.get(origin.stream), h?.get(origin.subject), Number(h?.get(origin.position))];
    if (stream !== this.#stream || !subject || !Number.isSafeInteger(seq) || seq < 1)
      return { undecodable: `not an event of ${this.#stream} that was put aside` };
    return this.#read(message, { subject, seq, data: message.data, header: h });
  }

  /** A replay comes to this reactor alone; the headers bring back where the event stood. */
  addressOf({ subject, seq }: JsMsg): DeadLetterAddress {
    const headers = { [origin.stream]: this.#stream, [origin.subject]: subject, [origin.position]: String(seq) };
    return { subject: reactionSubject(this.#durable), headers };
  }

  /**
   * Calls the reactor's own handler. An event of a newer release is handed back, without counting as an attempt: all replicas share the consumer, and skipping it here would take it from
   * the replica that knows what to do.
   */
  readonly handle: WorkHandler = (payload, delivery) => {
    const { type, v } = payload as RecordedEvent;
    const known = this.#definitions.get(type)?.v ?? 0;
    if (v <= known) return this.#handler(payload, delivery);
    return Promise.reject(new RetryLater(NEWER_RELEASE_MS, `${type} of version ${v} was written by a newer release`));
  };

  #read(message: JsMsg, stored: StoredMessage): Reading {
    try {
      // The envelope first: data that nobody asks for may have any size and shape.
      const envelope = decodeEvent(this.#stream, { ...stored, data: NO_DATA }, asStored);
      const isNamed = this.#definitions.has(envelope.type);
      // A type that no release up to this one knows may be one that the newer release's reactor of this name asks for.
      if (!isNamed && isKnownEvent(envelope.type, 1)) return 'skip';
      const event = isNamed ? decodeEvent(this.#stream, stored, this.#upcast) : envelope;
      const { stream, streamSequence } = message.info;
      const { actor, correlationId, traceparent } = event;
      const context = { actor, correlationId, causationId: event.id, ...(traceparent ? { traceparent } : {}) };
      return { work: { id: event.id, key: `${this.#durable}.${stream}.${streamSequence}`, payload: event, context } };
    } catch (error) {
      return { undecodable: error instanceof Error ? error.message : String(error) };
    }
  }

  readonly #upcast: Upcaster = (type, v, data) => {
    const definition = this.#definitions.get(type);
    if (!definition || definition.v <= v) return { v, data };
    return { v: definition.v, data: upcast(definition as EventDefinition, v, data) };
  };
}
