import type { EventStreamName } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { StreamEvent, type EventQueue } from './event-queue.js';
import { storedMessages } from './stored-messages.js';

/** Messages after which readers get what is there although more is on its way. */
const OFFER_EVERY = 250;

/**
 * The one reader of the end of a stream, for all of a process who follow it: each message crosses the network and is decoded once. It waits for nobody: a reader that leaves too much waiting
 * is left behind and reads by itself until it has caught up.
 */
export class StreamTail {
  static readonly #open = new WeakMap<NatsConnection, Map<EventStreamName, StreamTail>>();

  readonly #nats: NatsConnection;
  readonly #stream: EventStreamName;
  readonly #ending = new AbortController();
  readonly #queues = new Set<EventQueue>();
  #position: number;
  #sinceOffer = 0;

  private constructor(nats: NatsConnection, stream: EventStreamName, position: number) {
    this.#nats = nats;
    this.#stream = stream;
    this.#position = position;
  }

  /** The tail of a stream that a reader can join at its position; undefined when it has passed that. */
  static at(nats: NatsConnection, stream: EventStreamName, position: number): StreamTail | undefined {
    const tail = StreamTail.#of(nats).get(stream);
    return tail && position >= tail.#position ? tail : undefined;
  }

  /** The same; a tail that nobody reads begins at the position. */
  static atOrFrom(nats: NatsConnection, stream: EventStreamName, position: number): StreamTail | undefined {
    const tails = StreamTail.#of(nats);
    if (tails.has(stream)) return StreamTail.at(nats, stream, position);
    const tail = new StreamTail(nats, stream, position);
    tails.set(stream, tail);
    void tail.#run();
    return tail;
  }

  static #of(nats: NatsConnection): Map<EventStreamName, StreamTail> {
    const tails = StreamTail.#open.get(nats) ?? new Map<EventStreamName, StreamTail>();
    StreamTail.#open.set(nats, tails);
    return tails;
  }

  /** Gives the stream's events to a queue that {@link at} or {@link atOrFrom} was just asked for. */
  join(queue: EventQueue): void {
    this.#queues.add(queue);
  }

  /** Gives a queue no more events; the last one to leave ends the tail. */
  leave(queue: EventQueue): void {
    this.#queues.delete(queue);
    if (this.#queues.size > 0) return;
    this.#close();
    this.#ending.abort();
  }

  #close(): void {
    const tails = StreamTail.#of(this.#nats);
    if (tails.get(this.#stream) === this) tails.delete(this.#stream);
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    let fault: { readonly error: unknown } | undefined;
    try {
      for await (const next of storedMessages(this.#nats, this.#stream, this.#position, signal)) {
        if (next) this.#give(new StreamEvent(this.#stream, next.message), next.pending);
        else this.#offer(0);
      }
    } catch (error) {
      fault = { error };
    }
    this.#close();
    // Who is already past what could not be read goes on by itself.
    for (const queue of this.#queues) queue.end(queue.position > this.#position ? undefined : fault);
  }

  #give(event: StreamEvent, pending: number): void {
    this.#position = event.position;
    for (const queue of this.#queues) {
      try {
        queue.add(event);
      } catch (error) {
        this.#dismiss(queue, { error });
        continue;
      }
      if (queue.isFull) this.#dismiss(queue);
    }
    this.#sinceOffer += 1;
    if (pending === 0 || this.#sinceOffer >= OFFER_EVERY) this.#offer(pending);
  }

  #dismiss(queue: EventQueue, fault?: { readonly error: unknown }): void {
    this.leave(queue);
    queue.end(fault);
  }

  #offer(pending: number): void {
    this.#sinceOffer = 0;
    for (const queue of this.#queues) queue.offer(pending);
  }
}
