import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** A client that does not read what it is told. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient';
  constructor() {
    super('the client does not read what it is told');
  }
}

/** One event as the text of the event stream format. */
export interface StreamedEvent {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

/** An event in the event stream format (HTML standard, "Server-sent events"). JSON has no line breaks, so that one line of data is enough. */
export const eventText = ({ id, name, data }: StreamedEvent): string => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Nothing, but with an id: the client knows how far it is, and nobody takes the silence for a broken connection. */
export const heartbeatText = (id: string | undefined): string => (id === undefined ? ':\n\n' : `: still here\nid: ${id}\n\n`);

const ROOM_PAUSE_MS = 20;

/**
 * The body of an event stream. What a client has not read yet is kept up to a limit; beyond that the client is dropped, since it can come back and say how far it
 * was, and others must not pay for it with memory.
 */
export class EventStream extends Readable {
  #isSlow = false;
  #isFinished = false;
  #isOver = false;

  constructor(private readonly limitBytes: number) {
    super();
  }

  /** True for one that was dropped because its client did not read. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** True for one that this server ended. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Sends a text; a client that is too slow for it is dropped. */
  offer(text: string): void {
    if (this.destroyed || this.#isOver) return;
    if (this.readableLength + Buffer.byteLength(text) > this.limitBytes) this.#drop();
    else this.push(text);
  }

  /** Waits until at least half of the room is free; false when the client is gone or does not read for so long. */
  async hasRoom(withinMs: number): Promise<boolean> {
    const until = Date.now() + withinMs;
    while (!this.destroyed && this.readableLength > this.limitBytes / 2) {
      if (Date.now() > until) {
        this.#drop();
        return false;
      }
      await delay(ROOM_PAUSE_MS);
    }
    return !this.destroyed;
  }

  /** Says why there is nothing more, and ends. */
  finish(reason: string): void {
    if (this.destroyed || this.#isFinished) return;
    this.#isFinished = true;
    this.offer(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#isOver = true;
    if (!this.destroyed) this.push(null);
  }

  #drop(): void {
    this.#isSlow = true;
    this.destroy(new SlowClient());
  }

  override _read(): void {
    // Whatever there is was pushed already.
  }
}
