import type { LogWatchContext } from './log-watch-context.js';
import { eventStreams, type Context, type EventStreamName } from '@continuo/contracts';
import { registerGauge } from '../../register-gauge.js';
import type { Running } from '../../running.js';
import { onStatus } from '../../transport/on-status.js';
import { GapCheckedLog } from './gap-checked-log.js';
import { WatchedLog } from './watched-log.js';
import type { Gap } from './gaps.js';

/** Pause between two looks while all is well, and while something is wrong: a repair should be noticed soon. */
const EVERY_MS = 60_000;
const WHILE_WRONG_MS = 3000;
/** Part of a pause by which it varies, so that services that started together do not all look in one moment. */
const VARIES_BY = 0.2;
/** A start reads the newest events for so long, in all streams together; what is older follows while the service works. */
const START_READ_MS = 10_000;

/**
 * Knows whether the event streams of a service are whole: by what the server says of them, by checkpoints, and by reading them. At the start what there is, newest first, as far as a few
 * seconds go; then the rest, and once a day everything, slowly, by one replica.
 */
export class LogWatch implements Running {
  readonly #context: LogWatchContext;
  readonly #logs: ReadonlyMap<EventStreamName, WatchedLog>;
  readonly #passable = new Map<EventStreamName, GapCheckedLog>();
  readonly #stopping = new AbortController();
  readonly #unwatch: () => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(context: LogWatchContext, contexts: readonly Context[]) {
    this.#context = context;
    const streams = contexts.map((one) => eventStreams[one]);
    this.#logs = new Map(streams.map((stream) => [stream, new WatchedLog(context, stream, this.#stopping.signal)]));
    // The server may have come back with less than it had.
    this.#unwatch = onStatus(context.nats, 'reconnect', () => void this.#lookNow().then(() => this.#timer && this.#schedule()));
    const logs = this.#logs;
    if (logs.size === 0) return;
    registerGauge({
      name: 'continuo_event_log_missing_positions',
      help: 'Positions of the event log that are missing, other than those whose loss was accepted; 0 while it is whole',
      labelNames: ['stream'],
      registers: [context.registry],
      collect() {
        for (const [stream, log] of logs) this.set({ stream }, log.missingPositions);
      },
    });
  }

  /**
   * Looks at all streams and reads the newest events. Damage is no fault of a start: reads go on, commands are refused.
   * @throws whatever says that NATS or the database does not answer
   */
  async begin(): Promise<void> {
    const until = performance.now() + START_READ_MS;
    for (const log of this.#logs.values()) {
      await log.look();
      await log.readNewest(until);
      await log.look();
      await log.untilCertain();
    }
  }

  /** Goes on looking, and reads what the start has not; {@link begin} has been called. */
  keepOn(): void {
    this.#schedule();
    this.#reading = this.#read();
  }

  /** @throws LogDamaged when events of the stream are missing; of streams that are not watched nothing is known */
  async assertWhole(stream: EventStreamName): Promise<void> {
    await this.#looking;
    this.#logs.get(stream)?.assertWhole();
  }

  /**
   * Makes sure that a reader of some events of a stream, also of another service's, passes over nothing that is missing.
   * @param after the last position that it has dealt with
   * @param position the position of the event that it has got next
   * @throws LogDamaged when events are missing in the stream whose loss nobody has accepted
   */
  requireCompleteUpTo(stream: EventStreamName, after: number, position: number): Promise<void> {
    const log = this.#passable.get(stream) ?? new GapCheckedLog(this.#context, stream, this.#stopping.signal);
    this.#passable.set(stream, log);
    return log.requireCompleteUpTo(after, position);
  }

  /** Positions of a stream whose loss was accepted. */
  acceptedLoss(stream: EventStreamName): readonly Gap[] {
    return this.#logs.get(stream)?.acceptedLoss ?? [];
  }

  /** Damage in words, by part; empty while all is well. */
  damage(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#logs].flatMap(([stream, { damage }]) => (damage === undefined ? [] : [[`log ${stream}`, damage]])));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unwatch();
    for (const log of this.#passable.values()) log.stop();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.allSettled([this.#looking, this.#reading]);
  }

  #schedule(): void {
    const isWrong = [...this.#logs.values()].some(({ damage, isUncertain }) => damage !== undefined || isUncertain);
    const pauseMs = (isWrong ? WHILE_WRONG_MS : EVERY_MS) * (1 - VARIES_BY * Math.random());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#lookAgain(), pauseMs);
    this.#timer.unref();
  }

  async #lookAgain(): Promise<void> {
    await this.#lookNow();
    if (this.#stopping.signal.aborted) return;
    this.#reading = this.#reading.then(() => this.#read());
    this.#schedule();
  }

  /** Looks at all streams; writes wait until it is done. */
  #lookNow(): Promise<void> {
    const looking = Promise.all([...this.#logs.values()].map((log) => log.lookIfThere())).then(() => undefined);
    this.#looking = looking;
    return looking;
  }

  async #read(): Promise<void> {
    for (const log of this.#logs.values()) await log.readOn();
  }
}
