import type { PublicEvent } from '@continuo/contracts';
import type { NotifiedContext } from '@continuo/public-events';
import { eventText, heartbeatText, type EventStream } from './event-stream.js';
import type { LogPositions } from './log-positions.js';

/** A subscriber of an event stream. */
export interface Listener {
  readonly userId: number;
  /** Highest level that the credential has, whatever that of its account. */
  readonly mostLevel: number;
  /** Subscribed types, families (`playlist.*`) or everything. */
  readonly patterns: readonly string[];
  readonly stream: EventStream;
  /** Resolves to true while the credential is valid. */
  readonly isAuthorized: () => Promise<boolean>;
}

/** Most events queued for a client that is still catching up. */
const MAX_WAITING = 1000;

/** An event with its log position, and the id that resumes a stream after it. */
export interface DeliveredEvent {
  readonly context: NotifiedContext;
  readonly position: number;
  readonly id: string;
  readonly event: PublicEvent;
}

/** A client of the hub: gets events at once or, while it catches up, afterwards. */
export class EventClient {
  private waiting: string[] | undefined;

  /** @param floor position of the last event sent, possibly by a gateway that was ahead of this one */
  constructor(
    readonly listener: Listener,
    private readonly floor?: LogPositions,
  ) {}

  /** Queues events until {@link EventClient.goLive}. */
  hold(): void {
    this.waiting = [];
  }

  /** Sends the queued events, and from now on every event at once. */
  goLive(): void {
    const held = this.waiting ?? [];
    this.waiting = undefined;
    for (const text of held) this.listener.stream.offer(text);
  }

  get isLive(): boolean {
    return this.waiting === undefined;
  }

  /** Sends or queues an event. */
  tell({ context, position, id, event }: DeliveredEvent): void {
    if (this.floor && position <= this.floor[context]) return;
    const text = eventText({ id, name: event.type, data: event });
    if (!this.waiting) return this.listener.stream.offer(text);
    if (this.waiting.length >= MAX_WAITING) this.listener.stream.finish('too much happened meanwhile; come again');
    else this.waiting.push(text);
  }

  /** Sends an event about the stream itself; while the client catches up it waits with the others. */
  tellState(id: string, name: string): void {
    const text = eventText({ id, name, data: {} });
    if (this.waiting) this.waiting.push(text);
    else this.listener.stream.offer(text);
  }

  /** Sends a heartbeat with the present position. */
  sendHeartbeat(id: string): void {
    this.listener.stream.offer(heartbeatText(this.isLive ? id : undefined));
  }
}
