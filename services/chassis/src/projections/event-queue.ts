import type { EventStreamName, RecordedEvent } from '@continuo/contracts';
import type { JsMsg } from '@nats-io/jetstream';
import { definitionOf, isKnownEvent, NewerEvent, upcastPublished } from '../event-store/catalogue.js';
import { decodeEnvelope, storedTypeOf, withBody, type EventEnvelope } from '../event-store/headers.js';

/** Size of a batch: as much as suits one transaction. */
const MAX_BATCH_EVENTS = 1000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** Bytes that one reader may leave waiting in memory; see `StreamTail`. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_EVENTS = 10_000;

/** A run of events in log order. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here that the reader handles is in this batch or was in one before. */
  readonly position: number;
  /** Events of the stream that follow at the moment, at most: some may be none that the reader handles. */
  readonly pending: number;
}

/** Policy for events of a newer release: a reader that keeps tables must stop before them, one that only notifies leaves them out. */
export type NewerEvents = 'stop' | 'leave-out';

/** Choice of events of a stream, and what happens beside them. */
export interface EventSelection {
  /** Types of events that the reader handles; all when absent. */
  readonly handles?: ReadonlySet<string> | undefined;
  readonly newer?: NewerEvents;
  /**
   * Told that a reader that waits for more has nothing to handle up to a position. With it, batches have at least one event; without it, an empty batch says the same.
   */
  readonly onPassed?: ((position: number) => void) | undefined;
}

/** One message of a stream, decoded once for all who want it and not at all when nobody does. */
export class StreamEvent {
  readonly position: number;
  readonly bytes: number;
  /** Set when a newer release wrote it. */
  readonly newer: NewerEvent | undefined;
  readonly #type: string | undefined;
  readonly #stream: EventStreamName;
  readonly #message: JsMsg;
  #event: RecordedEvent | undefined;

  constructor(stream: EventStreamName, message: JsMsg) {
    this.#stream = stream;
    this.#message = message;
    this.position = message.seq;
    this.bytes = message.data.byteLength;
    const stored = storedTypeOf(message.headers);
    this.#type = stored?.type;
    this.newer =
      stored && !isKnownEvent(stored.type, stored.v) ? new NewerEvent(stored.type, stored.v, definitionOf(stored.type)?.v) : undefined;
  }

  /** True for a reader of these types. What is no event at all concerns everybody: it is damage. */
  isAmong(handles: ReadonlySet<string> | undefined): boolean {
    return handles === undefined || this.#type === undefined || handles.has(this.#type);
  }

  /** The event as it is stored, as JSON in UTF-8. */
  get body(): Uint8Array {
    return this.#message.data;
  }

  /** @throws Error when the message was not written by an event store */
  envelope(): EventEnvelope {
    const { subject, seq, headers: header } = this.#message;
    return decodeEnvelope(this.#stream, { subject, seq, header });
  }

  /** @throws Error when the message was not written by an event store */
  decoded(): RecordedEvent {
    this.#event ??= withBody(this.envelope(), this.body, upcastPublished);
    return this.#event;
  }
}

/** Events that a reader has not taken yet. */
export class EventQueue {
  readonly #selection: EventSelection;
  #waiting: { readonly event: RecordedEvent; readonly bytes: number }[] = [];
  #bytes = 0;
  #wake: (() => void) | undefined;
  #pending = 0;
  #position: number;
  /** Position of the last batch, or of the last word that there was nothing. */
  #told: number;
  #fault: { readonly error: unknown } | undefined;
  #isEnded = false;

  constructor(selection: EventSelection, afterPosition: number) {
    this.#selection = selection;
    this.#position = afterPosition;
    this.#told = afterPosition;
  }

  /** Everything up to here that the reader handles is in the queue or was taken. */
  get position(): number {
    return this.#position;
  }

  /** True when more is waiting than should be kept in memory. */
  get isFull(): boolean {
    return this.#bytes > MAX_WAITING_BYTES || this.#waiting.length > MAX_WAITING_EVENTS;
  }

  /**
   * Takes in the next event of the stream.
   * @throws NewerEvent when the reader must stop before it
   */
  add(event: StreamEvent): void {
    if (event.position <= this.#position) return;
    if (event.newer && this.#selection.newer !== 'leave-out') throw event.newer;
    if (!event.newer && event.isAmong(this.#selection.handles)) {
      this.#waiting.push({ event: event.decoded(), bytes: event.bytes });
      this.#bytes += event.bytes;
    }
    this.#position = event.position;
    if (this.isBatch) this.offer(this.#pending);
  }

  /** Lets a reader that waits have what is there: nothing more comes at once. */
  offer(pending: number): void {
    this.#pending = pending;
    if (!this.#wake || (this.#waiting.length === 0 && this.#passOver())) return;
    this.#wake();
  }

  /** No more events come; the reader gets the error, if there is one, after those that wait. */
  end(fault?: { readonly error: unknown }): void {
    this.#isEnded = true;
    this.#fault ??= fault;
    this.#wake?.();
  }

  /**
   * Waits for the next batch; undefined when no more comes.
   * @throws whatever the queue was ended with
   */
  async next(): Promise<EventBatch | undefined> {
    while (this.#waiting.length === 0 && this.#passOver()) {
      if (this.#fault) throw this.#fault.error;
      if (this.#isEnded) return undefined;
      const woken = Promise.withResolvers<void>();
      this.#wake = woken.resolve;
      await woken.promise;
      this.#wake = undefined;
    }
    return this.#take();
  }

  /** The next batch, if there is something to say at this moment. */
  poll(): EventBatch | undefined {
    return this.#waiting.length === 0 && this.#passOver() ? undefined : this.#take();
  }

  /** Deals with events that the reader does not handle; false when it wants an empty batch for them. */
  #passOver(): boolean {
    if (this.#position === this.#told) return true;
    if (!this.#selection.onPassed) return false;
    this.#told = this.#position;
    this.#selection.onPassed(this.#position);
    return true;
  }

  /** True when as much is waiting as suits one transaction. */
  get isBatch(): boolean {
    return this.#waiting.length >= MAX_BATCH_EVENTS || this.#bytes >= MAX_BATCH_BYTES;
  }

  #take(): EventBatch {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      if (count === MAX_BATCH_EVENTS || bytes >= MAX_BATCH_BYTES) break;
      count += 1;
      bytes += waiting.bytes;
    }
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#bytes -= bytes;
    const isAll = this.#waiting.length === 0;
    const events = taken.map(({ event }) => event);
    const position = isAll ? this.#position : (events.at(-1)?.position ?? this.#position);
    this.#told = position;
    return { events, position, pending: this.#pending + this.#waiting.length };
  }
}
