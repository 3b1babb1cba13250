import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The client does not read its stream. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient';
  constructor() {
    super('the client does not read what it is told');
  }
}

/** One event in the event stream format. */
export interface StreamedEvent {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

/** Formats an event (HTML standard, "Server-sent events"). JSON has no line breaks, so one line of data is enough. */
export const eventText = ({ id, name, data }: StreamedEvent): string => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Heartbeat: a comment line, with an id so that the client knows its position. */
export const heartbeatText = (id: string | undefined): string => (id === undefined ? ':\n\n' : `: still here\nid: ${id}\n\n`);

const ROOM_PAUSE_MS = 20;

/**
 * Body of an event stream. Unread data is buffered up to a limit; beyond it the client is disconnected to save memory, and can resume.
 */
export class EventStream extends Readable {
  #isSlow = false;
  #isFinished = false;
  #isOver = false;

  constructor(private readonly limitBytes: number) {
    super();
  }

  /** True when the stream was ended because its client did not read. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** True when this server ended the stream. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Sends a text; disconnects a client that is too slow. */
  offer(text: string): void {
    if (this.destroyed || this.#isOver) return;
    if (this.readableLength + Buffer.byteLength(text) > this.limitBytes) this.#drop();
    else this.push(text);
  }

  /** Waits until half of the buffer is free; false when the client is gone or does not read in time. */
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

  /** Sends the reason as a comment, and ends the stream. */
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
    // All data was pushed already.
  }
}
