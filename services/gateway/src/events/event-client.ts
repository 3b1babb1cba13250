import type { ToldContext } from '@continuo/chassis';
import type { PublicEvent } from '@continuo/contracts';
import { eventText, heartbeatText, type EventStream } from './event-stream.js';
import type { LogPositions } from './log-positions.js';

/** Somebody who wants to be told. */
export interface Listener {
  readonly userId: number;
  /** What they want to be told of: types, families, everything. */
  readonly patterns: readonly string[];
  readonly stream: EventStream;
  /** Whether what let them in still holds. */
  readonly stands: () => Promise<boolean>;
}

/** As many events wait for a client that is still told what it missed. */
const MAX_WAITING = 1000;

/** An event, where it stands, and what the client is to send back when it was the last that it got. */
export interface Told {
  readonly context: ToldContext;
  readonly position: number;
  readonly id: string;
  readonly event: PublicEvent;
}

/** A client of the hub: told at once, or, while it catches up with what it missed, when it has done so. */
export class EventClient {
  private waiting: string[] | undefined;

  /** @param floor how far the client was told already, maybe by a gateway that was ahead of this one */
  constructor(
    readonly listener: Listener,
    private readonly floor?: LogPositions,
  ) {}

  /** From now on what happens waits until {@link EventClient.goLive}. */
  hold(): void {
    this.waiting = [];
  }

  /** Tells what has waited, and from now on everything at once. */
  goLive(): void {
    const held = this.waiting ?? [];
    this.waiting = undefined;
    for (const text of held) this.listener.stream.offer(text);
  }

  get isLive(): boolean {
    return this.waiting === undefined;
  }

  /** Tells an event, or lets it wait. */
  tell({ context, position, id, event }: Told): void {
    if (this.floor && position <= this.floor[context]) return;
    const text = eventText({ id, name: event.type, data: event });
    if (!this.waiting) return this.listener.stream.offer(text);
    if (this.waiting.length >= MAX_WAITING) this.listener.stream.finish('too much happened meanwhile; come again');
    else this.waiting.push(text);
  }

  /** Lets the client know that the connection stands, and how far it is. */
  beat(id: string): void {
    this.listener.stream.offer(heartbeatText(this.isLive ? id : undefined));
  }
}
