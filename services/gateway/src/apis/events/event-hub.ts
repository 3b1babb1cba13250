import { setTimeout as delay } from 'node:timers/promises';
import { pause, type Metrics, type ProjectionWatch } from '@continuo/chassis';
import { eventStreams, type RecordedEvent } from '@continuo/contracts';
import type { Logger } from 'pino';
import { type NotifiedContext, notifiedContexts } from '@continuo/public-events';
import { catchUp } from './catch-up.js';
import { createEventMetrics, type EventMetrics } from './event-metrics.js';
import { EventClient, type Listener } from './event-client.js';
import { resolveRecipients, type RecipientReads } from './event-recipients.js';
import type { EventLogs } from './event-logs.js';
import { eventText } from './event-stream.js';
import { positionsBy, type EventIds, type LogEnds, type LogPositions } from './log-positions.js';

/** Options of {@link EventHub}. */
export interface EventHubOptions {
  readonly logs: EventLogs;
  readonly watch: ProjectionWatch;
  readonly recipientReads: RecipientReads;
  readonly ids: EventIds;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly limits: {
    readonly streams: number;
    readonly streamsPerUser: number;
    /** Interval of heartbeats, ms. */
    readonly heartbeatMs: number;
    /** Most events of all logs read to resume a stream. */
    readonly resumeEvents: number;
  };
}

/** Reason of a `reset` event, after which the client must reload its data. */
type ResetReason = 'unknown' | 'too-old' | 'another-log';

/** Interval at which the authorization of clients is checked, ms. */
const WATCH_EVERY_MS = 250;
/** Time that the logs are followed after the last client left, which may reconnect, ms. */
const LINGER_MS = 60_000;
const AFTER_FAULT_MS = 500;
/** Longest wait until an event can be read; while a projection is further behind than that, events are sent that cannot be read yet. */
const READABLE_WITHIN_MS = 5000;
/** The same while the projections are behind. */
const LOOK_WITHIN_MS = 200;
/** Pause between two looks at whether projections that are behind have caught up. */
const CATCH_UP_PAUSE_MS = 1000;

/**
 * Sends events to the clients of one gateway. Every gateway follows the logs itself while it has clients, and resolves the recipients once per
 * event. The id of an event holds the position in every log, so that any gateway can resume a stream.
 */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #metrics: EventMetrics;
  readonly #clients = new Set<EventClient>();
  readonly #places = new Map<number, number>();
  #incarnation = '';
  #heads: LogPositions = positionsBy(() => 0);
  /** Last position of each log that could not be read in time, while it cannot be read. */
  readonly #behind = new Map<NotifiedContext, number>();
  #following: AbortController | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.#metrics = createEventMetrics(options.metrics, () => this.#clients.size);
  }

  /** Takes a stream slot of an account; undefined when all are in use. Releasing twice is harmless. */
  takeSlot(userId: number): (() => void) | undefined {
    const { streams, streamsPerUser } = this.#options.limits;
    const own = this.#places.get(userId) ?? 0;
    const all = [...this.#places.values()].reduce((sum, count) => sum + count, 0);
    if (own >= streamsPerUser || all >= streams) return undefined;
    this.#places.set(userId, own + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.#places.get(userId) ?? 1) - 1;
      if (left > 0) this.#places.set(userId, left);
      else this.#places.delete(userId);
    };
  }

  /**
   * Sends events from now on, or after the last event id. The stream begins with `ready`, or with `reset` when the missed events are unknown and
   * the client must reload its data; it lasts until it is closed.
   * @throws Error when the logs do not answer
   */
  async join(listener: Listener, lastEventId: string | undefined): Promise<void> {
    const { stream } = listener;
    const { client, from, target } = await this.#inTurn(() => this.#admit(listener, lastEventId));
    if (from) await this.#catchUp(client, from, target);
    stream.once('close', () => this.#leave(client));
    if (stream.destroyed) this.#leave(client);
  }

  /** Ends all streams and stops following the logs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { listener } of this.#clients) listener.stream.finish('this server stops; come again');
    this.#stopFollowing();
    await this.#turn;
  }

  /** Number of clients. */
  get size(): number {
    return this.#clients.size;
  }

  /** Adds a client between two events. `from` is absent when there is nothing to catch up with. */
  async #admit(
    listener: Listener,
    lastEventId: string | undefined,
  ): Promise<{ client: EventClient; from?: LogPositions; target: LogPositions }> {
    await this.#startFollowing();
    const target = this.#heads;
    const last = lastEventId === undefined ? undefined : this.#options.ids.read(lastEventId);
    const reset = lastEventId === undefined ? undefined : this.#resetReason(last, target);
    const from = reset === undefined ? last?.positions : undefined;
    const client = new EventClient(listener, from);
    this.#greet(client, from ?? target, reset);
    if (from) client.hold();
    this.#clients.add(client);
    return { client, target, ...(from ? { from } : {}) };
  }

  #greet(client: EventClient, positions: LogPositions, reset?: ResetReason): void {
    const id = this.#options.ids.of(this.#incarnation, positions);
    const event = reset === undefined ? { name: 'ready', data: {} } : { name: 'reset', data: { reason: reset } };
    client.listener.stream.offer(eventText({ id, ...event }));
    if (this.#behind.size > 0) client.listener.stream.offer(eventText({ id, name: 'behind', data: {} }));
  }

  /** Reason why the missed events are unknown; undefined when they are known. Another gateway may be slightly ahead. */
  #resetReason(from: LogEnds | undefined, target: LogPositions): ResetReason | undefined {
    if (!from) return 'unknown';
    if (from.incarnation !== this.#incarnation) return 'another-log';
    const { resumeEvents } = this.#options.limits;
    const distances = notifiedContexts.map((context) => target[context] - from.positions[context]);
    if (distances.some((distance) => -distance > resumeEvents)) return 'unknown';
    return distances.reduce((sum, distance) => sum + Math.max(0, distance), 0) > resumeEvents ? 'too-old' : undefined;
  }

  async #catchUp(client: EventClient, from: LogPositions, target: LogPositions): Promise<void> {
    const { logs, recipientReads: reads, log, ids } = this.#options;
    const { stream } = client.listener;
    try {
      await catchUp({ logs, reads, listener: client.listener, idOf: (positions) => ids.of(this.#incarnation, positions), from, target });
      client.goLive();
    } catch (err) {
      log.warn({ err }, 'Failed to read the missed events of an event stream client; its stream is closed');
      stream.finish('what was missed cannot be read now; come again');
    }
  }

  #leave(client: EventClient): void {
    if (!this.#clients.delete(client)) return;
    const { isSlow, isFinished } = client.listener.stream;
    this.#metrics.closed.inc({ reason: isSlow ? 'slow' : isFinished ? 'ended' : 'left' });
    if (this.#clients.size > 0 || !this.#following) return;
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => {
      if (this.#clients.size === 0) this.#stopFollowing();
    }, LINGER_MS);
    this.#lingering.unref();
  }

  /** Runs one task at a time: a client that joins during an event would get it twice or never. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #startFollowing(): Promise<void> {
    clearTimeout(this.#lingering);
    if (this.#isClosed) throw new Error('this server stops');
    if (this.#following) return;
    const { incarnation, positions } = await this.#options.logs.ends();
    await Promise.all(notifiedContexts.map((context) => this.#untilReadable(context, positions[context])));
    this.#incarnation = incarnation;
    this.#heads = positions;
    const following = new AbortController();
    this.#following = following;
    for (const context of notifiedContexts) void this.#follow(context, following.signal);
    const { heartbeatMs } = this.#options.limits;
    this.#timers = [setInterval(() => this.#sendHeartbeat(), heartbeatMs), setInterval(() => void this.#watch(), WATCH_EVERY_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  #stopFollowing(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#behind.clear();
    clearTimeout(this.#lingering);
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Follows one log until the signal fires; failures only delay it. */
  async #follow(context: NotifiedContext, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const events of this.#options.logs.follow(context, this.#heads[context], signal)) {
          const last = events.at(-1);
          if (last) await this.#untilReadable(context, last.position);
          for (const event of events) await this.#inTurn(() => this.#tell(context, event, signal));
        }
      } catch (err) {
        if (signal.aborted) return;
        this.#options.log.warn({ err, context }, 'Failed to read an event log or to resolve recipients; retrying');
      }
      await pause(AFTER_FAULT_MS, signal);
    }
  }

  /** Waits until the read model shows an event: who hears of it reads it at once. */
  async #untilReadable(context: NotifiedContext, position: number): Promise<void> {
    const withinMs = this.#behind.has(context) ? LOOK_WITHIN_MS : READABLE_WITHIN_MS;
    const isReadable = await this.#isReadable(context, position, withinMs);
    const wasBehind = this.#behind.has(context);
    if (isReadable) this.#setCurrent(context);
    else this.#setBehind(context, position);
    if (!isReadable && !wasBehind) void this.#awaitCurrent(context);
  }

  #isReadable(context: NotifiedContext, position: number, withinMs: number): Promise<boolean> {
    return this.#options.watch.waitFor([{ stream: eventStreams[context], position }], withinMs, { isPatient: true });
  }

  /** Waits until projections that are behind have caught up, also when nothing else happens. */
  async #awaitCurrent(context: NotifiedContext): Promise<void> {
    try {
      for (let position = this.#behind.get(context); position !== undefined && !this.#isClosed; position = this.#behind.get(context)) {
        const isReadable = await this.#isReadable(context, position, LOOK_WITHIN_MS);
        if (isReadable && this.#behind.get(context) === position) this.#setCurrent(context);
        else await delay(CATCH_UP_PAUSE_MS, undefined, { ref: false });
      }
    } catch (err) {
      this.#options.log.warn({ err, context }, 'Failed to see whether the projections have caught up; the next event tells');
    }
  }

  #setBehind(context: NotifiedContext, position: number): void {
    const isNew = this.#behind.size === 0;
    this.#behind.set(context, position);
    if (isNew) this.#tellState('behind');
  }

  #setCurrent(context: NotifiedContext): void {
    if (this.#behind.delete(context) && this.#behind.size === 0) this.#tellState('current');
  }

  /** Tells all clients whether what they read is older than what has happened. */
  #tellState(name: 'behind' | 'current'): void {
    const id = this.#options.ids.of(this.#incarnation, this.#heads);
    for (const client of this.#clients) client.tellState(id, name);
  }

  async #tell(context: NotifiedContext, recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    if (signal.aborted || recorded.position <= this.#heads[context]) return;
    const resolved = await resolveRecipients(
      this.#options.recipientReads,
      recorded,
      [...this.#clients].map(({ listener }) => listener),
    );
    // No await from here on, so that after a failure the event was sent to all clients or to none.
    for (const [index, { event, isFor }] of resolved.entries()) {
      const isLast = index === resolved.length - 1;
      // A client that loses its connection between two messages of one event gets both again.
      const position = isLast ? recorded.position : recorded.position - 1;
      const id = this.#options.ids.of(this.#incarnation, { ...this.#heads, [context]: position });
      const recipients = [...this.#clients].filter(({ listener }) => isFor(listener));
      for (const client of recipients) client.tell({ context, position: recorded.position, id, event });
      this.#metrics.told.inc({ type: event.type }, recipients.length);
    }
    this.#heads = { ...this.#heads, [context]: recorded.position };
  }

  #sendHeartbeat(): void {
    const id = this.#options.ids.of(this.#incarnation, this.#heads);
    for (const client of this.#clients) client.sendHeartbeat(id);
  }

  /** Ends the streams of clients that lost access. While that is unknown, nothing is sent. */
  async #watch(): Promise<void> {
    for (const { listener } of this.#clients) {
      const isAuthorized = await listener.isAuthorized().catch(() => true);
      if (!isAuthorized) listener.stream.finish('you are not logged in any more');
    }
  }
}

/** Sends server events to clients. */
export interface HasEvents {
  readonly events: EventHub;
}
