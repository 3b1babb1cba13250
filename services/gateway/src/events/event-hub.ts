import { setTimeout as delay } from 'node:timers/promises';
import { toldContexts, type Metrics, type ToldContext } from '@continuo/chassis';
import type { RecordedEvent } from '@continuo/contracts';
import type { Logger } from 'pino';
import { catchUp } from './catch-up.js';
import { createEventMetrics, type EventMetrics } from './event-metrics.js';
import { EventClient, type Listener } from './event-client.js';
import { judge, type JudgeTools } from './event-judge.js';
import type { EventLogs } from './event-logs.js';
import { eventText } from './event-stream.js';
import { positionsBy, type EventIds, type LogEnds, type LogPositions } from './log-positions.js';

/** How the hub is set up. */
export interface EventHubOptions {
  readonly logs: EventLogs;
  readonly judge: JudgeTools;
  readonly ids: EventIds;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly limits: {
    readonly streams: number;
    readonly streamsPerUser: number;
    /** Pause between signs of life, ms. */
    readonly heartbeatMs: number;
    /** As many events of all logs as are looked through for a client that comes back. */
    readonly resumeEvents: number;
  };
}

/** Why somebody is told how the world stands anew. */
type ResetReason = 'unknown' | 'too-old' | 'another-log';

/** How often it is asked whether those who listen may still. */
const WATCH_EVERY_MS = 250;
/** So long the logs are followed after the last client has gone: it may come back. */
const LINGER_MS = 60_000;
const AFTER_FAULT_MS = 500;

/**
 * Tells the clients of one gateway what happens. Every gateway follows the logs for itself, as long as somebody listens; each event is looked into once, whoever
 * listens. Clients get as the id of an event how far they have been told of every log, so that any gateway can go on from there.
 */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #metrics: EventMetrics;
  readonly #clients = new Set<EventClient>();
  readonly #places = new Map<number, number>();
  #mark = '';
  #heads: LogPositions = positionsBy(() => 0);
  #following: AbortController | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.#metrics = createEventMetrics(options.metrics, () => this.#clients.size);
  }

  /** Takes a place for a stream of an account; undefined when there is none. Giving it back twice does no harm. */
  takePlace(userId: number): (() => void) | undefined {
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
   * Tells somebody what happens from now on, or behind what they were told last. Their stream begins with `ready`, or with `reset` when it cannot be said what
   * they missed: they had better ask anew for what they show. They are told until their stream is closed.
   * @throws Error when the logs do not answer
   */
  async join(listener: Listener, lastEventId: string | undefined): Promise<void> {
    const { stream } = listener;
    const { client, from, target } = await this.#inTurn(() => this.#admit(listener, lastEventId));
    if (from) await this.#catchUp(client, from, target);
    stream.once('close', () => this.#leave(client));
    if (stream.destroyed) this.#leave(client);
  }

  /** Ends all streams and follows nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { listener } of this.#clients) listener.stream.finish('this server stops; come again');
    this.#stopFollowing();
    await this.#turn;
  }

  /** Everybody who listens at the moment. */
  get size(): number {
    return this.#clients.size;
  }

  /** Lets a client in between two events. `from` is absent for one that has nothing to catch up with. */
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
    const id = this.#options.ids.of(this.#mark, positions);
    const event = reset === undefined ? { name: 'ready', data: {} } : { name: 'reset', data: { reason: reset } };
    client.listener.stream.offer(eventText({ id, ...event }));
  }

  /** Why it cannot be said what somebody missed; undefined when it can. Another gateway may be a little ahead of this one. */
  #resetReason(from: LogEnds | undefined, target: LogPositions): ResetReason | undefined {
    if (!from) return 'unknown';
    if (from.mark !== this.#mark) return 'another-log';
    const { resumeEvents } = this.#options.limits;
    const distances = toldContexts.map((context) => target[context] - from.positions[context]);
    if (distances.some((distance) => -distance > resumeEvents)) return 'unknown';
    return distances.reduce((sum, distance) => sum + Math.max(0, distance), 0) > resumeEvents ? 'too-old' : undefined;
  }

  async #catchUp(client: EventClient, from: LogPositions, target: LogPositions): Promise<void> {
    const { logs, judge: tools, log, ids } = this.#options;
    const { stream } = client.listener;
    try {
      await catchUp({ logs, tools, listener: client.listener, idOf: (positions) => ids.of(this.#mark, positions), from, target });
      client.goLive();
    } catch (err) {
      log.warn({ err }, 'what a client of the event stream missed cannot be read');
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

  /** One thing at a time: nobody joins while an event is being told, or it would be told of it twice or never. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #startFollowing(): Promise<void> {
    clearTimeout(this.#lingering);
    if (this.#isClosed) throw new Error('this server stops');
    if (this.#following) return;
    const { mark, positions } = await this.#options.logs.ends();
    this.#mark = mark;
    this.#heads = positions;
    const following = new AbortController();
    this.#following = following;
    for (const context of toldContexts) void this.#follow(context, following.signal);
    const { heartbeatMs } = this.#options.limits;
    this.#timers = [setInterval(() => this.#beat(), heartbeatMs), setInterval(() => void this.#watch(), WATCH_EVERY_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  #stopFollowing(): void {
    this.#following?.abort();
    this.#following = undefined;
    clearTimeout(this.#lingering);
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Follows one log until the signal fires; a fault delays it, and loses nothing. */
  async #follow(context: ToldContext, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const events of this.#options.logs.follow(context, this.#heads[context], signal)) {
          for (const event of events) await this.#inTurn(() => this.#tell(context, event, signal));
        }
      } catch (err) {
        if (signal.aborted) return;
        this.#options.log.warn({ err, context }, 'the event stream waits for a log, or for what it is judged by');
      }
      await delay(AFTER_FAULT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #tell(context: ToldContext, recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    if (signal.aborted || recorded.position <= this.#heads[context]) return;
    const judged = await judge(
      this.#options.judge,
      recorded,
      [...this.#clients].map(({ listener }) => listener),
    );
    // From here on nothing waits, so that an event is told to everybody or, after a fault, to nobody yet.
    for (const [index, { event, isFor }] of judged.entries()) {
      const isLast = index === judged.length - 1;
      // Whoever loses the connection between two that came of one event is told both again.
      const position = isLast ? recorded.position : recorded.position - 1;
      const id = this.#options.ids.of(this.#mark, { ...this.#heads, [context]: position });
      const hearers = [...this.#clients].filter(({ listener }) => isFor(listener));
      for (const client of hearers) client.tell({ context, position: recorded.position, id, event });
      this.#metrics.told.inc({ type: event.type }, hearers.length);
    }
    this.#heads = { ...this.#heads, [context]: recorded.position };
  }

  #beat(): void {
    const id = this.#options.ids.of(this.#mark, this.#heads);
    for (const client of this.#clients) client.beat(id);
  }

  /** Ends the streams of those who may not listen any more. While that cannot be found out nobody is told anything either. */
  async #watch(): Promise<void> {
    for (const { listener } of this.#clients) {
      const stands = await listener.stands().catch(() => true);
      if (!stands) listener.stream.finish('you are not logged in any more');
    }
  }
}
