import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beginSpan, type MediaPlace, type MediaStore, type OpenSpan } from '@continuo/chassis';
import { Rejection, transcodeMimeOf, type TranscodeSource, type TranscodeTarget, type TranscodeWish } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { TranscodeCache } from '../cache/transcode-cache.js';
import type { RunFfmpeg } from '../ffmpeg/run-ffmpeg.js';
import type { WorkerMetrics } from '../metrics.js';
import type { Slot, Slots } from '../slots.js';
import { beginsLikeCaptions, CAPTION_HEAD_BYTES } from '../target/caption-text.js';
import { completerOf } from '../target/completion.js';
import { planOf, type PlanLimits, type TranscodePlan } from '../target/transcode-plan.js';
import { Transcode, type TranscodeTools } from './transcode.js';
import { WaitEstimate } from './wait-estimate.js';

/** What a transcoder works with. */
export interface TranscoderTools {
  readonly mediaStore: MediaStore;
  readonly cache: TranscodeCache;
  readonly slots: Slots;
  readonly run: RunFfmpeg;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly limits: PlanLimits;
  /** How long a transcode goes on with nobody listening, ms. */
  readonly graceMs: number;
  /** One sentence on why this worker can make nothing; null when it can. */
  readonly problem: string | null;
  /** ffmpeg's names of the encoders that it has. */
  readonly encoders: ReadonlySet<string>;
}

/** A wish, looked at: its file is there, and it has a name. */
export interface KnownWish {
  /** The same for everything that gives the same bytes: 64 hex digits. */
  readonly key: string;
  readonly mime: string;
  readonly path: string;
  readonly plan: TranscodePlan;
  readonly target: TranscodeTarget;
}

/** How things stand with a wish at this worker. */
export type WishState =
  | { readonly state: 'finished'; readonly sizeBytes: number }
  | { readonly state: 'growing' }
  | { readonly state: 'free'; readonly freeSlots: number }
  | { readonly state: 'busy'; readonly retryAfterSeconds: number };

/** How a transcode without a listener is followed. */
export interface PrepareOptions {
  /** Ends the interest in it: it goes on only while somebody listens. */
  readonly signal?: AbortSignal;
  /** Called every second with the bytes that are there. */
  readonly onProgress?: (writtenBytes: number) => void;
}

const PROGRESS_MS = 1000;

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/** A transcode that was made ahead came to an end that is nobody's fault: it gave up its place to a listener, or was shared with one who left. */
export class TurnedOut extends Error {
  override readonly name = 'TurnedOut';
}

/** A transcode was made and could not be kept: it is too large for the cache, or the disk is full. */
export class NotKept extends Error {
  override readonly name = 'NotKept';
}

/** The ffmpeg of a transcode was ended from outside, such as by a system without memory. */
export class CutOff extends Error {
  override readonly name = 'CutOff';
}

/** Who wants a transcode: somebody who listens, or nobody yet. */
type Wanted = 'now' | 'ahead';

/** What is thrown away at once when the disk is full. */
const ROOM_BYTES = 64 * 1024 * 1024;
/** How long a worker whose ffmpeg could not be started takes nothing; the wish after that is the next try. */
const WITHOUT_FFMPEG_MS = 10_000;
/** Raised when the arguments stay the same but what is made of them does not. */
const PROFILE_VERSION = 1;

/** Transcodes of one worker: those in its cache, those it makes, and its places for more. */
export class Transcoder {
  readonly #tools: TranscoderTools;
  readonly #making = new Map<string, Promise<Transcode>>();
  /** Those under way, with the time when their places are free again. */
  readonly #all = new Map<Transcode, Promise<void>>();
  readonly #waits = new WaitEstimate();
  #draining = false;
  #withoutFfmpegUntilMs = 0;

  constructor(tools: TranscoderTools) {
    this.#tools = tools;
    tools.metrics.slotsTotal.set(tools.slots.total);
  }

  /**
   * Looks at a wish. The file as it is now decides, whatever the wish says of its size and time.
   * @throws Rejection `media.not-found`, `transcode.failed` when this ffmpeg cannot do it at all, `unavailable` when there is none
   */
  async look({ source, target }: TranscodeWish): Promise<KnownWish> {
    const { mediaStore, limits, problem, encoders } = this.#tools;
    if (problem !== null || performance.now() < this.#withoutFfmpegUntilMs)
      throw new Rejection('unavailable', 'this worker has no usable ffmpeg');
    if (source.durationMs > 0 && target.offsetMs >= source.durationMs) throw new Rejection('transcode.failed', 'it ends before that place');
    const place = await mediaStore.locate(source.catalogPath, source.path);
    const { captionFile } = target;
    const captions = captionFile && (await this.#captions(source.catalogPath, captionFile.path));
    const plan = planOf(target, { path: place.realPath, durationMs: source.durationMs, captionsPath: captions?.realPath }, limits);
    const absent = plan.encoders.find((name) => !encoders.has(name));
    if (absent !== undefined) throw new Rejection('transcode.failed', `this worker's ffmpeg lacks ${absent}`);
    return {
      key: keyOf(source, captions ? [place, captions] : [place], plan),
      mime: transcodeMimeOf(target),
      path: place.realPath,
      plan,
      target,
    };
  }

  /** How things stand, without beginning anything. */
  async stateOf({ key }: KnownWish): Promise<WishState> {
    if (this.#making.has(key)) return { state: 'growing' };
    const cached = await this.#tools.cache.find(key);
    if (cached) return { state: 'finished', sizeBytes: cached.sizeBytes };
    const { free } = this.#tools.slots;
    if (this.#draining) return this.#busy();
    if (free > 0) return { state: 'free', freeSlots: free };
    if (this.#yielding()) return { state: 'free', freeSlots: 1 };
    return this.#busy();
  }

  /**
   * Finds a transcode or begins it; one that is begun goes on for a while until its listener comes. What is made ahead gives up its place for it.
   * @throws Rejection `transcode.busy` with the seconds to wait as its subject
   */
  async begin(wish: KnownWish): Promise<Extract<WishState, { state: 'finished' | 'growing' }>> {
    const { lookups } = this.#tools.metrics.cache;
    const present = await this.stateOf(wish);
    if (present.state === 'finished') {
      lookups.inc({ outcome: 'hit' });
      return present;
    }
    const known = this.#making.get(wish.key);
    lookups.inc({ outcome: known ? 'joined' : 'miss' });
    (await (known ?? this.#start(wish, 'now'))).expectListener();
    return { state: 'growing' };
  }

  /**
   * Everything that a transcode under way gives, from the first byte on; undefined when there is none of that key, or its beginning has gone.
   * @throws Rejection `transcode.failed`
   */
  async listen(key: string): Promise<{ body: Readable; mime: string } | undefined> {
    const transcode = await this.#making.get(key);
    const body = await transcode?.listen();
    return transcode && body ? { body, mime: transcode.order.mime } : undefined;
  }

  /**
   * Makes a transcode without a listener, so that it is in the cache when somebody comes.
   * @throws Rejection `transcode.busy` with the seconds to wait as its subject, `transcode.failed`; {@link TurnedOut}, {@link NotKept}, {@link CutOff}; the reason of `signal`
   * when that fires
   */
  async prepare(wish: KnownWish, { signal, onProgress }: PrepareOptions = {}): Promise<{ sizeBytes: number; wasThere: boolean }> {
    const present = await this.stateOf(wish);
    if (present.state === 'finished') return { sizeBytes: present.sizeBytes, wasThere: true };
    const transcode = await (this.#making.get(wish.key) ?? this.#start(wish, 'ahead'));
    const release = transcode.keep();
    const timer = setInterval(() => onProgress?.(transcode.writtenBytes), PROGRESS_MS);
    signal?.addEventListener('abort', release, { once: true });
    try {
      const outcome = await (signal ? Promise.race([transcode.ended, aborted(signal)]) : transcode.ended);
      if (transcode.neverBegan) throw new TurnedOut('its ffmpeg cannot be started');
      if (outcome === 'failed') throw transcode.wasCutOff ? new CutOff('its ffmpeg was ended') : new Rejection('transcode.failed');
      if (outcome === 'killed') throw new TurnedOut('it gave up its place');
      const kept = await this.#tools.cache.find(wish.key);
      if (!kept) throw new NotKept('the cache did not take it');
      return { sizeBytes: kept.sizeBytes, wasThere: false };
    } finally {
      clearInterval(timer);
      signal?.removeEventListener('abort', release);
      release();
    }
  }

  /** Takes nothing new, waits for what is under way, and ends what is left after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    const ends = Promise.all([...this.#all.keys()].map(({ ended }) => ended));
    const timer = setTimeout(() => {
      for (const transcode of this.#all.keys()) transcode.kill('the worker stops');
    }, timeoutMs);
    await ends;
    clearTimeout(timer);
  }

  async #captions(catalogPath: string, path: string): Promise<MediaPlace> {
    const { mediaStore } = this.#tools;
    const place = await mediaStore.locate(catalogPath, path);
    const end = Math.min(CAPTION_HEAD_BYTES, place.sizeBytes) - 1;
    const head = end < 0 ? Buffer.alloc(0) : await buffer(await mediaStore.open(catalogPath, path, { start: 0, end }));
    if (!beginsLikeCaptions(head)) throw new Rejection('transcode.failed', 'this is no file of subtitles');
    return place;
  }

  #busy(): Extract<WishState, { state: 'busy' }> {
    return { state: 'busy', retryAfterSeconds: this.#waits.seconds([...this.#all.keys()]) };
  }

  /** What would give up its place: what nobody listens to any more, else what is made ahead. The latest begun, because the least is lost with it. */
  #yielding(): Transcode | undefined {
    const all = [...this.#all.keys()];
    return all.findLast(({ isLonely }) => isLonely) ?? all.findLast(({ isAhead }) => isAhead);
  }

  #start(wish: KnownWish, wanted: Wanted): Promise<Transcode> {
    const forget = (): void => {
      if (this.#making.get(wish.key) === starting) this.#making.delete(wish.key);
    };
    const starting = this.#startOnce(wish, wanted, forget);
    this.#making.set(wish.key, starting);
    return starting;
  }

  async #startOnce(wish: KnownWish, wanted: Wanted, forget: () => void): Promise<Transcode> {
    try {
      return await this.#startIn(await this.#place(wanted), wish, forget);
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #place(wanted: Wanted): Promise<Slot> {
    const { slots } = this.#tools;
    const slot = this.#draining ? undefined : slots.take();
    if (slot) return slot;
    const yielding = wanted === 'now' && !this.#draining ? this.#yielding() : undefined;
    yielding?.kill('its place is needed for a listener');
    if (yielding) await this.#all.get(yielding);
    const freed = yielding && slots.take();
    if (freed) return freed;
    this.#tools.metrics.turnedAway.inc();
    throw new Rejection('transcode.busy', undefined, String(this.#busy().retryAfterSeconds));
  }

  async #startIn(slot: Slot, wish: KnownWish, forget: () => void): Promise<Transcode> {
    const { cache, run, graceMs, log, metrics } = this.#tools;
    const temporaryPath = cache.temporaryPath();
    const tools: TranscodeTools = {
      run,
      temporaryPath,
      graceMs,
      log,
      makeRoom: () => cache.makeRoom(ROOM_BYTES),
      admit: (sizeBytes) => cache.admit(wish.key, temporaryPath, sizeBytes),
      onUnsharable: forget,
    };
    try {
      const transcode = await Transcode.start({ ...wish, complete: completerOf(wish.target.format) }, tools);
      metrics.started.inc({ format: wish.target.format });
      const attended = this.#attend(transcode, temporaryPath, beginSpan(`transcode ${wish.target.format}`))
        .finally(forget)
        .finally(() => {
          this.#all.delete(transcode);
          slot.free();
        });
      this.#all.set(transcode, attended);
      return transcode;
    } catch (error) {
      slot.free();
      throw error;
    }
  }

  /** Sees a transcode to its end. */
  async #attend(transcode: Transcode, temporaryPath: string, span: OpenSpan | undefined): Promise<void> {
    const { cache, metrics, log } = this.#tools;
    const outcome = await transcode.ended;
    metrics.ended.inc({ outcome });
    span?.end({ 'continuo.outcome': outcome });
    if (transcode.firstByteMs !== undefined) metrics.firstByteSeconds.observe(transcode.firstByteMs / 1000);
    if (transcode.neverBegan) this.#withoutFfmpegUntilMs = performance.now() + WITHOUT_FFMPEG_MS;
    if (outcome === 'finished') this.#waits.note(performance.now() - transcode.startedAtMs);
    await cache.discard(temporaryPath).catch((err: unknown) => log.warn({ err }, 'what was left of a transcode could not be removed'));
  }
}

/** What identifies the bytes: the file as it is, and every word that ffmpeg is told. */
const stateOf = ({ sizeBytes, mtimeMs }: MediaPlace): readonly number[] => [sizeBytes, mtimeMs];

const keyOf = ({ catalogPath, path }: TranscodeSource, places: readonly MediaPlace[], plan: TranscodePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([PROFILE_VERSION, catalogPath, path, places.map(stateOf), plan.inputOptions, plan.outputOptions]))
    .digest('hex');
