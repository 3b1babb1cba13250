import type { EventStreamName } from '@continuo/contracts';
import { pause } from '../../pause.js';
import { NotYetReady } from '../../transport/not-yet-ready.js';
import type { EventStreamState } from '../streams.js';
import { joined, sizeOf, type Gap } from './gaps.js';
import { LogChecks } from './log-checks.js';
import { LogDamaged } from './log-damaged.js';
import type { LogWatchContext } from './log-watch-context.js';
import { damageOf, inspectStream, type StreamIntegrity } from './inspect-stream.js';
import { missingPositions } from './missing-positions.js';

/** Read between two looks at the time, and at a signal. */
const STRETCH_POSITIONS = 20_000;
/** A whole read takes a twentieth of what a small machine reads; a million events take three minutes. */
const GENTLE_PER_SECOND = 5000;
/** A backup is kept for days: damage is known while there is one from before it. */
const READ_EVERY_HOURS = 24;
/** Whether that is due is asked so often. */
const DUE_EVERY_MS = 3_600_000;

/** For so long a server of a NATS cluster that was cut off, or leads anew, may tell of an end before that of the others. */
const CATCHES_UP_WITHIN_MS = 30_000;
const LOOKS_AGAIN_MS = 2500;

/** One event stream of a service: what is known of its integrity, and how it is found out. */
export class WatchedLog {
  readonly #context: LogWatchContext;
  readonly #stream: EventStreamName;
  readonly #signal: AbortSignal;
  readonly #checks: LogChecks;
  /** The incarnation of the stream in which this process began. */
  #epoch: string | undefined;
  #integrity: StreamIntegrity | undefined;
  #damage: string | undefined;
  /** Since when the stream ends before what the tables hold, by `performance.now()`; always, where only one server keeps it. */
  #behindSinceMs: number | undefined;
  /** Up to here nothing has been read yet. */
  #unreadTo = 0;
  #dueAtMs = 0;

  constructor(context: LogWatchContext, stream: EventStreamName, signal: AbortSignal) {
    this.#context = context;
    this.#stream = stream;
    this.#signal = signal;
    this.#checks = new LogChecks(context.db);
  }

  /** Damage of the stream in words; undefined while it is whole, as far as is known. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** True while the server may only be behind the others: it is to be asked again soon. */
  get isUncertain(): boolean {
    return this.#behindSinceMs !== undefined && performance.now() - this.#behindSinceMs < CATCHES_UP_WITHIN_MS;
  }

  /** Number of missing positions, including those after the end. */
  get missingPositions(): number {
    const { missing = [], lostAfter } = this.#integrity ?? {};
    return sizeOf(missing) + (lostAfter ? lostAfter.known - lostAfter.last : 0);
  }

  get acceptedLoss(): readonly Gap[] {
    return this.#integrity?.state.acceptedLoss ?? [];
  }

  /**
   * @throws LogDamaged while something is wrong
   * @throws NotYetReady while the server may only be behind the others
   */
  assertWhole(): void {
    if (this.#damage !== undefined) throw new LogDamaged(this.#stream, this.#damage);
    if (this.#behindSinceMs !== undefined) throw new NotYetReady(`the NATS server is behind the others with the event log ${this.#stream}`);
  }

  /** Compares what the server says, checkpoints, and gaps that a read has found before. */
  async look(): Promise<EventStreamState> {
    const first = await inspectStream(this.#context, this.#stream);
    const { epoch } = first.state;
    this.#epoch ??= epoch;
    const known = (await this.#checks.of(this.#stream, epoch))?.missing ?? [];
    const still = await this.#missingIn(known);
    if (sizeOf(still) !== sizeOf(known)) await this.#checks.note(this.#stream, epoch, still);
    this.#judge(known.length > 0 ? await inspectStream(this.#context, this.#stream, still) : first);
    return first.state;
  }

  /** Looks until the server cannot be behind the others any more. Returns early when the signal fires. */
  async untilCertain(): Promise<void> {
    while (this.isUncertain && !this.#signal.aborted) {
      await pause(LOOKS_AGAIN_MS, this.#signal);
      await this.look();
    }
  }

  /** Checks the log, ignoring that NATS is unavailable. */
  async lookIfThere(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#context.log.warn({ err: error, stream: this.#stream }, 'failed to check the event log');
    }
  }

  /** Reads from the end backwards until a moment of `performance.now()`. */
  async readNewest(until: number): Promise<void> {
    const { epoch, lastPosition } = await this.look();
    this.#unreadTo = lastPosition;
    let missing: readonly Gap[] = [];
    while (this.#unreadTo > 0 && performance.now() < until && !this.#signal.aborted) {
      const from = Math.max(1, this.#unreadTo - STRETCH_POSITIONS + 1);
      missing = joined([...missing, ...(await this.#missingIn([{ from, to: this.#unreadTo }]))]);
      this.#unreadTo = from - 1;
    }
    if (this.#unreadTo === 0) await this.#checks.finish(this.#stream, epoch, { position: lastPosition, missing });
    else if (missing.length > 0) await this.#found(epoch, missing);
  }

  /** Reads a stretch and notes what is missing there. @throws Error when the signal fires meanwhile */
  async readBetween(range: Gap): Promise<void> {
    const { epoch } = await this.look();
    const missing = await this.#missingIn([range]);
    this.#signal.throwIfAborted();
    if (missing.length > 0) await this.#found(epoch, missing);
  }

  /** Reads what the start has left, or everything when that is due and no other replica does it. Slowly; a fault ends it until the next time. */
  async readOn(): Promise<void> {
    const isRest = this.#unreadTo > 0;
    if (!isRest && performance.now() < this.#dueAtMs) return;
    this.#dueAtMs = performance.now() + DUE_EVERY_MS;
    try {
      const { epoch, lastPosition } = await this.look();
      if (isRest || (await this.#checks.claim(this.#stream, epoch, READ_EVERY_HOURS)))
        await this.#readSlowly(epoch, { from: 1, to: isRest ? this.#unreadTo : lastPosition });
    } catch (error) {
      this.#dueAtMs = 0;
      this.#context.log.warn({ err: error, stream: this.#stream }, 'failed to read the event log');
    }
  }

  async #readSlowly(epoch: string, { from, to }: Gap): Promise<void> {
    const { log } = this.#context;
    const missing: Gap[] = [];
    for (let next = from; next <= to; next += STRETCH_POSITIONS) {
      const end = Math.min(to, next + STRETCH_POSITIONS - 1);
      const gaps = await this.#missingIn([{ from: next, to: end }], GENTLE_PER_SECOND);
      if (this.#signal.aborted) return;
      missing.push(...gaps);
      if (gaps.length > 0) await this.#found(epoch, gaps);
      log.debug({ stream: this.#stream, position: end, to }, 'reading the event log');
    }
    const wasRest = this.#unreadTo > 0;
    this.#unreadTo = 0;
    const newer = wasRest ? ((await this.#checks.of(this.#stream, epoch))?.missing ?? []) : [];
    await this.#checks.finish(this.#stream, epoch, { position: to, missing: joined([...newer, ...missing]) });
    await this.look();
    log.info({ stream: this.#stream, positions: to - from + 1 }, 'the event log has been read');
  }

  async #found(epoch: string, gaps: readonly Gap[]): Promise<void> {
    const known = (await this.#checks.of(this.#stream, epoch))?.missing ?? [];
    await this.#checks.note(this.#stream, epoch, joined([...known, ...gaps]));
    await this.look();
  }

  async #missingIn(ranges: readonly Gap[], perSecond?: number): Promise<Gap[]> {
    const gaps: Gap[] = [];
    for (const range of ranges)
      gaps.push(
        ...(await missingPositions(this.#context.manager, this.#stream, {
          ...range,
          signal: this.#signal,
          ...(perSecond === undefined ? {} : { perSecond }),
        })),
      );
    return joined(gaps);
  }

  #judge(found: StreamIntegrity): void {
    const integrity = this.#certainOf(found);
    this.#integrity = integrity;
    const isAnotherIncarnation = integrity.state.epoch !== this.#epoch;
    const damage = isAnotherIncarnation
      ? 'it has begun another incarnation since this service started; restart the service'
      : damageOf(integrity);
    if (damage !== this.#damage) {
      const { log } = this.#context;
      if (damage === undefined) log.info({ stream: this.#stream }, `the event log ${this.#stream} is whole again`);
      else log.error({ stream: this.#stream }, new LogDamaged(this.#stream, damage).message);
    }
    this.#damage = damage;
  }

  /** Notes since when the end is missing; answers the findings, without the loss of an end that other servers may have. */
  #certainOf({ lostAfter, ...found }: StreamIntegrity): StreamIntegrity {
    if (!lostAfter) this.#behindSinceMs = undefined;
    else this.#behindSinceMs ??= found.isReplicated ? performance.now() : Number.NEGATIVE_INFINITY;
    return lostAfter && !this.isUncertain ? { ...found, lostAfter } : found;
  }
}
