import { Rejection, type EventStreamName } from '@continuo/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { every } from '../every.js';
import { LOG_HAS_NO_ROOM } from '../persistence/full-storage.js';
import { registerGauge } from '../register-gauge.js';
import type { Running } from '../running.js';
import { onStatus } from '../transport/on-status.js';
import type { LogRoom } from './log-room.js';
import type { LogStateMessage, WriteProbe } from './write-probe.js';

/** Pause between two probes while all is well, two looks at the room, and two probes while the log cannot be written. */
const EVERY_MS = 60_000;
const ROOM_EVERY_MS = 5000;
const WHILE_FAILING_MS = 3000;
/** A probe or an append of any process within this time makes another probe needless. */
const FRESH_MS = 50_000;
/** An append that takes longer than this has the log probed meanwhile, so that its caller hears the reason before it gives up. */
const SLOW_MS = 1000;
/** Time that a slow append may still take after the probe was stored: NATS has given up its stream then, ms. */
const BEHIND_PROBE_MS = 2000;
const NOT_ACKNOWLEDGED =
  'the event log cannot be written: NATS does not acknowledge writes (no space left on its disk, or it has to be started again)';

/** Guards appends: refuses them while the log is known to accept none, and names the reason when one fails. */
export interface AppendGuard {
  /**
   * Runs an append.
   * @throws Rejection `unavailable` with the reason as its message while the log cannot be written; else what the append throws
   */
  run<T>(stream: EventStreamName, append: () => Promise<T>): Promise<T>;
}

/** Dependencies of {@link LogWrites}. */
export interface LogWritesOptions {
  readonly nats: NatsConnection;
  readonly probe: Pick<WriteProbe, 'run' | 'follow' | 'tell'>;
  /** Absent when the file system of the log is not seen from here. */
  readonly room?: Pick<LogRoom, 'isScarce'> | undefined;
  readonly log: Logger;
  readonly registry: Registry;
}

/**
 * Knows whether the event log can be written: by what appends tell, by a probe that writes (once a minute for all processes together, every three seconds while it fails), and by the
 * room on the file system of the log where that is seen.
 */
export class LogWrites implements AppendGuard, Running {
  readonly #options: LogWritesOptions;
  readonly #unwatch: (() => void)[];
  /** Streams whose last append was not acknowledged, with the time. */
  readonly #suspects = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #probing: Promise<string | undefined> | undefined;
  #probeFault: string | undefined;
  #storedAtMs = Number.NEGATIVE_INFINITY;
  #isConnected = true;
  #isStopped = false;

  constructor(options: LogWritesOptions) {
    this.#options = options;
    const { nats, probe, registry } = options;
    probe.follow((news) => this.#hear(news));
    this.#unwatch = [
      onStatus(nats, 'disconnect', () => (this.#isConnected = false)),
      onStatus(nats, 'reconnect', () => this.#afterReconnect()),
    ];
    const isWritable = (): number => (this.fault === undefined ? 1 : 0);
    registerGauge({
      name: 'continuo_event_log_writable',
      help: '1 while the event log can be written, 0 while it cannot',
      registers: [registry],
      collect() {
        this.set(isWritable());
      },
    });
  }

  /** Why the log cannot be written at the moment, as a sentence; undefined while it can. */
  get fault(): string | undefined {
    return this.#probeFault ?? (this.#suspects.size > 0 ? NOT_ACKNOWLEDGED : undefined);
  }

  /** Probes once, and goes on doing so now and then. */
  async start(): Promise<void> {
    await this.check();
    this.#schedule();
    if (this.#options.room && !this.#isStopped) this.#unwatch.push(every(ROOM_EVERY_MS, () => void this.#watchRoom()));
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const unwatch of this.#unwatch) unwatch();
    return Promise.resolve();
  }

  /** Probes now; answers {@link fault} afterwards. Calls that come meanwhile share one probe. */
  async check(): Promise<string | undefined> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    await this.#probing;
    return this.fault;
  }

  async run<T>(stream: EventStreamName, append: () => Promise<T>): Promise<T> {
    await this.#refuseWhileFailing();
    const slow = Promise.withResolvers<never>();
    const ended = new AbortController();
    const timer = setTimeout(() => void this.#whenSlow(stream, slow.reject, ended.signal), SLOW_MS);
    try {
      const outcome = await Promise.race([append(), slow.promise]);
      if (this.#suspects.delete(stream)) this.#options.probe.tell('recovered', stream);
      this.#noteStored();
      return outcome;
    } catch (error) {
      throw await this.#explained(stream, error);
    } finally {
      clearTimeout(timer);
      ended.abort();
    }
  }

  async #refuseWhileFailing(): Promise<void> {
    // A write into the last of the room would make nats-server give up the stream for good.
    if (this.#probeFault === undefined) await this.#lookAtRoom();
    if (this.#probeFault !== undefined) throw new Rejection('unavailable', this.#probeFault);
  }

  async #whenSlow(stream: EventStreamName, reject: (reason: Rejection) => void, ended: AbortSignal): Promise<void> {
    await this.check();
    if (this.#probeFault !== undefined) return reject(new Rejection('unavailable', this.#probeFault));
    const timer = setTimeout(() => {
      if (!this.#isConnected) return;
      this.#suspect(stream);
      reject(new Rejection('unavailable', NOT_ACKNOWLEDGED));
    }, BEHIND_PROBE_MS);
    if (ended.aborted) clearTimeout(timer);
    else ended.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #suspect(stream: string): void {
    if (!this.#suspects.has(stream)) {
      this.#options.log.error({ stream, reason: NOT_ACKNOWLEDGED }, 'an append was not acknowledged');
      this.#options.probe.tell('failed', stream);
    }
    this.#suspects.set(stream, performance.now());
  }

  /** The reason in place of a silence; every other error as it is. */
  async #explained(stream: EventStreamName, error: unknown): Promise<unknown> {
    if (!(error instanceof Rejection) || error.code !== 'unavailable') return error;
    if (error.message === LOG_HAS_NO_ROOM) this.#note(LOG_HAS_NO_ROOM);
    const isSilent = error.cause instanceof errors.TimeoutError && this.#isConnected;
    if (!isSilent) return error;
    this.#suspect(stream);
    const fault = await this.check();
    return new Rejection('unavailable', fault ?? NOT_ACKNOWLEDGED, undefined, { cause: error });
  }

  async #probe(): Promise<string | undefined> {
    const roomFault = await this.#lookAtRoom();
    if (roomFault !== undefined) return roomFault;
    const fault = await this.#options.probe.run();
    // What is asked of a server that is away says nothing about its disk.
    if (this.#isConnected && !this.#isStopped) this.#note(fault);
    return fault;
  }

  async #lookAtRoom(): Promise<string | undefined> {
    const fault = await this.#roomFault();
    if (fault !== undefined && !this.#isStopped) this.#note(fault);
    return fault;
  }

  async #roomFault(): Promise<string | undefined> {
    try {
      return (await this.#options.room?.isScarce()) ? LOG_HAS_NO_ROOM : undefined;
    } catch (error) {
      return `the event log cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #note(fault: string | undefined): void {
    const before = this.#probeFault;
    this.#probeFault = fault;
    if (fault === undefined) this.#noteStored();
    if (fault === before) return;
    if (fault === undefined) this.#options.log.info('the event log can be written again');
    else this.#options.log.error({ reason: fault }, 'the event log cannot be written; commands are refused until it can');
    if (before === undefined) this.#options.probe.tell('failed');
    this.#schedule();
  }

  /** Takes over the state of the log that another process found. */
  #hear({ outcome, stream }: LogStateMessage): void {
    if (outcome === 'stored') this.#noteStored();
    else if (stream && outcome === 'failed') this.#suspects.set(stream, performance.now());
    else if (stream) this.#suspects.delete(stream);
    if ((outcome === 'failed') === (this.#probeFault === undefined)) void this.check();
  }

  #noteStored(): void {
    this.#storedAtMs = performance.now();
  }

  /** A server that has come back has given up no stream. */
  #afterReconnect(): void {
    this.#isConnected = true;
    this.#suspects.clear();
    if (this.#probeFault !== undefined) void this.check();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const pauseMs = this.#probeFault === undefined ? EVERY_MS : WHILE_FAILING_MS;
    // Not in step with the other processes, so that one of them probes for all.
    this.#timer = setTimeout(() => void this.#look(), pauseMs * (0.9 + Math.random() / 5));
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const now = performance.now();
    for (const [stream, atMs] of this.#suspects) if (now - atMs > EVERY_MS) this.#suspects.delete(stream);
    if (this.#probeFault !== undefined || now - this.#storedAtMs > FRESH_MS) await this.check();
    this.#schedule();
  }

  /** While the log cannot be written, the probes look at the room as well. */
  async #watchRoom(): Promise<void> {
    if (this.#probeFault === undefined) await this.#lookAtRoom();
  }
}
