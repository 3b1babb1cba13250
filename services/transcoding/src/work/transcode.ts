import type { Readable } from 'node:stream';
import { Rejection } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { FfmpegRun, RunFfmpeg } from '../ffmpeg/run-ffmpeg.js';
import { FfmpegFailed } from '../ffmpeg/run-ffmpeg.js';
import { ProgressiveOutput } from '../growing/progressive-output.js';
import type { TranscodeOutcome } from '../metrics.js';
import type { TranscodePlan } from '../target/transcode-plan.js';

/** Order of one transcode. */
export interface TranscodeOrder {
  readonly key: string;
  readonly plan: TranscodePlan;
  /** Real path of the source. */
  readonly path: string;
  readonly mime: string;
  /** Fills in what the format says of itself and what is known only at the end. */
  readonly complete: (bytes: ProgressiveOutput) => Promise<void>;
}

/** Dependencies of a transcode. */
export interface TranscodeDependencies {
  readonly run: RunFfmpeg;
  readonly temporaryPath: string;
  readonly makeRoom: () => Promise<boolean>;
  /** Takes the finished file; false when it is not worth its room. */
  readonly admit: (sizeBytes: number) => Promise<boolean>;
  /** Time that it goes on without a listener, ms. */
  readonly graceMs: number;
  readonly log: Logger;
  /** It can take no more listeners, though it goes on. */
  readonly onUnsharable: () => void;
}

/** Time for a listener to come after it was promised the bytes. */
const ARRIVAL_MS = 10_000;

/** One ffmpeg, what it makes, and those who listen. It ends when the last of them has gone, unless somebody keeps it. */
export class Transcode {
  readonly order: TranscodeOrder;
  readonly startedAtMs = performance.now();
  /** Outcome of the transcode; never rejects. */
  readonly ended: Promise<TranscodeOutcome>;
  readonly #deps: TranscodeDependencies;
  readonly #bytes: ProgressiveOutput;
  readonly #run: FfmpegRun;
  readonly #firstByte = Promise.withResolvers<void>();
  readonly #firstListener = Promise.withResolvers<void>();
  #firstByteAtMs: number | undefined;
  #listeners = 0;
  readonly #accounts: number[] = [];
  #keepers = 0;
  #lonely: NodeJS.Timeout | undefined;
  #promised = false;
  #killed: string | undefined;
  #cutOff = false;
  #neverBegan = false;
  #over = false;

  private constructor(order: TranscodeOrder, deps: TranscodeDependencies, bytes: ProgressiveOutput) {
    this.order = order;
    this.#deps = deps;
    this.#bytes = bytes;
    this.#firstByte.promise.catch(() => undefined);
    this.#run = deps.run({ plan: order.plan, path: order.path, take: (piece) => this.#take(piece) });
    this.expectListener();
    this.ended = this.#finish();
  }

  /** Starts ffmpeg. */
  static async start(order: TranscodeOrder, deps: TranscodeDependencies): Promise<Transcode> {
    const { temporaryPath: path, makeRoom, onUnsharable, log } = deps;
    const onSpill = (err: unknown): void => {
      log.warn({ err, key: order.key }, 'transcode does not fit on disk; its listeners are served from memory');
    };
    return new Transcode(order, deps, await ProgressiveOutput.create({ path, makeRoom, onSpill, onTrim: onUnsharable }));
  }

  /** Time from the start to the first bytes, ms; undefined before. */
  get firstByteMs(): number | undefined {
    return this.#firstByteAtMs === undefined ? undefined : this.#firstByteAtMs - this.startedAtMs;
  }

  /** True when a signal that nobody here sent has ended its ffmpeg. */
  get wasCutOff(): boolean {
    return this.#cutOff;
  }

  /** True when there was no ffmpeg to start. */
  get neverBegan(): boolean {
    return this.#neverBegan;
  }

  get listenerCount(): number {
    return this.#listeners;
  }

  /** Accounts of its listeners, each once. */
  get accountIds(): number[] {
    return [...new Set(this.#accounts)];
  }

  get writtenBytes(): number {
    return this.#bytes.writtenBytes;
  }

  /** Goes on for a while for somebody who was promised the bytes. */
  expectListener(): void {
    this.#promised = true;
    if (this.#listeners + this.#keepers === 0) this.#wait(ARRIVAL_MS);
  }

  /**
   * All bytes from the first one on; there is one when the promise is kept. Destroying the stream ends the listener's interest.
   * @param accountId account of the listener, where it is known
   * @throws Rejection `transcode.failed` when there will be none, `unavailable` when it is given up; undefined when the first bytes are no longer there
   */
  async listen(accountId?: number): Promise<Readable | undefined> {
    const end = this.#hold('listener');
    if (accountId !== undefined) this.#accounts.push(accountId);
    const release = (): void => {
      end();
      const at = accountId === undefined ? -1 : this.#accounts.indexOf(accountId);
      if (at >= 0) this.#accounts.splice(at, 1);
    };
    try {
      await this.#firstByte.promise;
      const body = this.#bytes.follow();
      this.#firstListener.resolve();
      if (body) body.once('close', release);
      else release();
      return body;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** True while it is made ahead, for nobody who listens. */
  get isAhead(): boolean {
    return this.#keepers > 0 && this.#listeners === 0;
  }

  /** True while it only waits whether somebody comes back. */
  get isLonely(): boolean {
    return this.#keepers + this.#listeners === 0 && !this.#promised;
  }

  /** Goes on without listeners until what is answered is called. */
  keep(): () => void {
    return this.#hold('keeper');
  }

  /** Ends it now; its listeners' streams fail. */
  kill(reason: string): void {
    this.#firstListener.resolve();
    if (this.#over) return;
    this.#killed ??= reason;
    clearTimeout(this.#lonely);
    this.#deps.onUnsharable();
    this.#run.kill();
    // A writer that waits for a listener does not notice.
    this.#bytes.finish(new Error(reason));
  }

  #hold(kind: 'listener' | 'keeper'): () => void {
    const change = (by: number): void => {
      if (kind === 'listener') this.#listeners += by;
      else this.#keepers += by;
    };
    change(1);
    if (kind === 'listener') this.#promised = false;
    clearTimeout(this.#lonely);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(-1);
      if (this.#listeners + this.#keepers === 0) this.#wait(this.#deps.graceMs);
    };
  }

  #wait(ms: number): void {
    clearTimeout(this.#lonely);
    if (this.#over) return;
    this.#lonely = setTimeout(() => this.kill('nobody listens'), ms);
  }

  async #take(piece: Buffer): Promise<void> {
    const written = this.#bytes.append(piece);
    this.#firstByteAtMs ??= performance.now();
    this.#firstByte.resolve();
    await written;
  }

  async #finish(): Promise<TranscodeOutcome> {
    const { log } = this.#deps;
    const { key } = this.order;
    try {
      await this.#run.done;
      await this.#conclude();
      return 'finished';
    } catch (error) {
      const details = error instanceof FfmpegFailed ? error.details : undefined;
      this.#cutOff = this.#killed === undefined && error instanceof FfmpegFailed && error.wasCutOff;
      this.#neverBegan = error instanceof FfmpegFailed && error.neverBegan;
      if (this.#killed === undefined) log.warn({ err: error, key, details }, 'transcode failed');
      else log.debug({ key, reason: this.#killed }, 'transcode was given up');
      const told = this.#killed === undefined && !this.#neverBegan ? 'transcode.failed' : 'unavailable';
      this.#firstByte.reject(new Rejection(told, undefined, undefined, { cause: error }));
      this.#bytes.finish(error instanceof Error ? error : new Error(String(error)));
      return this.#killed === undefined ? 'failed' : 'killed';
    } finally {
      clearTimeout(this.#lonely);
      await this.#bytes.leave().catch((err: unknown) => log.warn({ err, key }, 'failed to close transcode file'));
    }
  }

  /** Listeners have everything as soon as ffmpeg has ended; that the disk has it is for those who come later. */
  async #conclude(): Promise<void> {
    if (this.#bytes.writtenBytes === 0) throw new FfmpegFailed('nothing came out');
    this.#over = true;
    clearTimeout(this.#lonely);
    this.#bytes.finish();
    if (!(await this.#isKeptForGood())) await this.#arrived();
  }

  async #isKeptForGood(): Promise<boolean> {
    if (!this.#bytes.isKept) return false;
    try {
      await this.order.complete(this.#bytes);
      await this.#bytes.sync();
      return await this.#deps.admit(this.#bytes.writtenBytes);
    } catch (err) {
      this.#deps.log.warn({ err, key: this.order.key }, 'failed to store finished transcode in cache');
      return false;
    }
  }

  /** An uncached transcode waits for the listener that it was promised to. */
  async #arrived(): Promise<void> {
    if (this.#keepers > 0) return;
    const late = setTimeout(() => this.#firstListener.resolve(), ARRIVAL_MS);
    await this.#firstListener.promise;
    clearTimeout(late);
  }
}
