import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beginSpan, unlessAborted, type OpenSpan } from '@continuo/chassis';
import { Rejection, transcodeMimeOf, type TranscodeSource, type TranscodeTarget, type TranscodeRequest } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { LocatedFile, MediaStore } from '@continuo/media-store';
import type { TranscodeCache } from '../cache/transcode-cache.js';
import type { RunFfmpeg } from '../ffmpeg/run-ffmpeg.js';
import type { WorkerMetrics } from '../metrics.js';
import type { Slot, Slots } from '../slots.js';
import { beginsLikeCaptions, CAPTION_HEAD_BYTES } from '../target/caption-text.js';
import { completerOf } from '../target/completion.js';
import { planOf, type PlanLimits, type TranscodePlan } from '../target/transcode-plan.js';
import { Transcode, type TranscodeDependencies } from './transcode.js';
import { WaitEstimate } from './wait-estimate.js';

/** Dependencies of the transcoder. */
export interface TranscoderDependencies {
  readonly mediaStore: MediaStore;
  readonly cache: TranscodeCache;
  readonly slots: Slots;
  readonly run: RunFfmpeg;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly limits: PlanLimits;
  /** Time that a transcode goes on without a listener, ms. */
  readonly graceMs: number;
  /** One sentence on why this worker can make nothing; null when it can. */
  readonly problem: string | null;
  /** ffmpeg's names of the encoders that it has. */
  readonly encoders: ReadonlySet<string>;
}

/** A request, looked at: its file is there, and it has a name. */
export interface ResolvedRequest {
  /** The same for everything that gives the same bytes: 64 hex digits. */
  readonly key: string;
  readonly mime: string;
  readonly path: string;
  readonly plan: TranscodePlan;
  readonly target: TranscodeTarget;
}

/** State of a request at this worker. */
export type TranscodeState =
  | { readonly state: 'finished'; readonly sizeBytes: number }
  | { readonly state: 'growing' }
  | { readonly state: 'free'; readonly freeSlots: number }
  | { readonly state: 'busy'; readonly retryAfterSeconds: number };

/** Options of preparing a transcode without a listener. */
export interface PrepareOptions {
  /** Ends the interest in it: it goes on only while somebody listens. */
  readonly signal?: AbortSignal;
  /** Called every second with the bytes that are there. */
  readonly onProgress?: (writtenBytes: number) => void;
}

const PROGRESS_MS = 1000;

/** A transcode that was made ahead came to an end that is nobody's fault: it gave up its place to a listener, or was shared with one who left. */
export class TranscodePreempted extends Error {
  override readonly name = 'TranscodePreempted';
}

/** A transcode was made and could not be kept: it is too large for the cache, or the disk is full. */
export class TranscodeNotCached extends Error {
  override readonly name = 'TranscodeNotCached';
}

/** The ffmpeg of a transcode was ended from outside, such as by a system without memory. */
export class TranscodeInterrupted extends Error {
  override readonly name = 'TranscodeInterrupted';
}

/** Urgency of a transcode: a listener waits, or nobody yet. */
type Wanted = 'now' | 'ahead';

/** Bytes that are evicted at once when the disk is full. */
const ROOM_BYTES = 64 * 1024 * 1024;
/** Time that a worker takes nothing after ffmpeg could not be started, ms; the request after that is the next try. */
const WITHOUT_FFMPEG_MS = 10_000;
/** Raised when the arguments stay the same but what is made of them does not. */
const PROFILE_VERSION = 1;

/** Transcodes of one worker: those in its cache, those it makes, and its places for more. */
export class Transcoder {
  readonly #deps: TranscoderDependencies;
  readonly #making = new Map<string, Promise<Transcode>>();
  /** Those under way, with the time when their places are free again. */
  readonly #all = new Map<Transcode, Promise<void>>();
  readonly #waits = new WaitEstimate();
  #draining = false;
  #withoutFfmpegUntilMs = 0;

  constructor(deps: TranscoderDependencies) {
    this.#deps = deps;
    deps.metrics.slotsTotal.set(deps.slots.total);
  }

  /**
   * Looks at a request. The file as it is now decides, whatever the request says of its size and time.
   * @throws Rejection `media.not-found`, `transcode.failed` when this ffmpeg cannot do it at all, `unavailable` when there is none
   */
  async look({ source, target }: TranscodeRequest): Promise<ResolvedRequest> {
    const { mediaStore, limits, problem, encoders } = this.#deps;
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

  /** Reads the state, without beginning anything. */
  async stateOf({ key }: ResolvedRequest): Promise<TranscodeState> {
    if (this.#making.has(key)) return { state: 'growing' };
    const cached = await this.#deps.cache.find(key);
    if (cached) return { state: 'finished', sizeBytes: cached.sizeBytes };
    const { free } = this.#deps.slots;
    if (this.#draining) return this.#busy();
    if (free > 0) return { state: 'free', freeSlots: free };
    if (this.#yielding()) return { state: 'free', freeSlots: 1 };
    return this.#busy();
  }

  /**
   * Finds a transcode or begins it; one that is begun goes on for a while until its listener comes. What is made ahead gives up its place for it.
   * @throws Rejection `transcode.busy` with the seconds to wait as its subject
   */
  async begin(request: ResolvedRequest): Promise<Extract<TranscodeState, { state: 'finished' | 'growing' }>> {
    const present = await this.stateOf(request);
    if (present.state === 'finished') return present;
    const known = this.#making.get(request.key);
    this.#deps.metrics.cache.lookups.inc({ outcome: known ? 'joined' : 'miss' });
    (await (known ?? this.#start(request, 'now'))).expectListener();
    return { state: 'growing' };
  }

  /** The transcodes under way. */
  underWay(): {
    readonly path: string;
    readonly mime: string;
    readonly startedMsAgo: number;
    readonly writtenBytes: number;
    readonly listeners: number;
    readonly accountIds: number[];
  }[] {
    return [...this.#all.keys()].map(({ order, startedAtMs, writtenBytes, listenerCount, accountIds }) => ({
      path: order.path,
      mime: order.mime,
      startedMsAgo: Math.round(performance.now() - startedAtMs),
      writtenBytes,
      listeners: listenerCount,
      accountIds,
    }));
  }

  /**
   * Everything that a transcode under way gives, from the first byte on; undefined when there is none of that key, or its beginning has gone.
   * @param accountId account of the listener, where it is known
   * @throws Rejection `transcode.failed`
   */
  async listen(key: string, accountId?: number): Promise<{ body: Readable; mime: string } | undefined> {
    const transcode = await this.#making.get(key);
    const body = await transcode?.listen(accountId);
    return transcode && body ? { body, mime: transcode.order.mime } : undefined;
  }

  /**
   * Makes a transcode without a listener, so that it is in the cache when somebody comes.
   * @throws Rejection `transcode.busy` with the seconds to wait as its subject, `transcode.failed`; {@link TranscodePreempted}, {@link TranscodeNotCached}, {@link TranscodeInterrupted}; the reason of `signal`
   * when that fires
   */
  async prepare(request: ResolvedRequest, { signal, onProgress }: PrepareOptions = {}): Promise<{ sizeBytes: number; wasThere: boolean }> {
    const present = await this.stateOf(request);
    if (present.state === 'finished') return { sizeBytes: present.sizeBytes, wasThere: true };
    const transcode = await (this.#making.get(request.key) ?? this.#start(request, 'ahead'));
    const release = transcode.keep();
    const timer = setInterval(() => onProgress?.(transcode.writtenBytes), PROGRESS_MS);
    signal?.addEventListener('abort', release, { once: true });
    try {
      const outcome = await unlessAborted(transcode.ended, signal);
      if (transcode.neverBegan) throw new TranscodePreempted('its ffmpeg cannot be started');
      if (outcome === 'failed')
        throw transcode.wasCutOff ? new TranscodeInterrupted('its ffmpeg was ended') : new Rejection('transcode.failed');
      if (outcome === 'killed') throw new TranscodePreempted('it gave up its place');
      const kept = await this.#deps.cache.find(request.key);
      if (!kept) throw new TranscodeNotCached('the cache did not take it');
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

  async #captions(catalogPath: string, path: string): Promise<LocatedFile> {
    const { mediaStore } = this.#deps;
    const place = await mediaStore.locate(catalogPath, path);
    const end = Math.min(CAPTION_HEAD_BYTES, place.sizeBytes) - 1;
    const head = end < 0 ? Buffer.alloc(0) : await buffer(await mediaStore.open(catalogPath, path, { start: 0, end }));
    if (!beginsLikeCaptions(head)) throw new Rejection('transcode.failed', 'this is no file of subtitles');
    return place;
  }

  #busy(): Extract<TranscodeState, { state: 'busy' }> {
    return { state: 'busy', retryAfterSeconds: this.#waits.seconds([...this.#all.keys()]) };
  }

  /** The transcode that gives up its slot: one without listeners, else one made ahead. The latest begun, because the least is lost with it. */
  #yielding(): Transcode | undefined {
    const all = [...this.#all.keys()];
    return all.findLast(({ isLonely }) => isLonely) ?? all.findLast(({ isAhead }) => isAhead);
  }

  #start(request: ResolvedRequest, wanted: Wanted): Promise<Transcode> {
    const forget = (): void => {
      if (this.#making.get(request.key) === starting) this.#making.delete(request.key);
    };
    const starting = this.#startOnce(request, wanted, forget);
    this.#making.set(request.key, starting);
    return starting;
  }

  async #startOnce(request: ResolvedRequest, wanted: Wanted, forget: () => void): Promise<Transcode> {
    try {
      return await this.#startIn(await this.#place(wanted), request, forget);
    } catch (error) {
      forget();
      throw error;
    }
  }

  async #place(wanted: Wanted): Promise<Slot> {
    const { slots } = this.#deps;
    const slot = this.#draining ? undefined : slots.take();
    if (slot) return slot;
    const yielding = wanted === 'now' && !this.#draining ? this.#yielding() : undefined;
    yielding?.kill('its place is needed for a listener');
    if (yielding) await this.#all.get(yielding);
    const freed = yielding && slots.take();
    if (freed) return freed;
    this.#deps.metrics.turnedAway.inc();
    throw new Rejection('transcode.busy', undefined, String(this.#busy().retryAfterSeconds));
  }

  async #startIn(slot: Slot, request: ResolvedRequest, forget: () => void): Promise<Transcode> {
    const { cache, run, graceMs, log, metrics } = this.#deps;
    const temporaryPath = cache.temporaryPath();
    const deps: TranscodeDependencies = {
      run,
      temporaryPath,
      graceMs,
      log,
      makeRoom: () => cache.makeRoom(ROOM_BYTES),
      admit: (sizeBytes) => cache.admit(request.key, temporaryPath, sizeBytes),
      onUnsharable: forget,
    };
    try {
      const transcode = await Transcode.start({ ...request, complete: completerOf(request.target.format) }, deps);
      metrics.started.inc({ format: request.target.format });
      const attended = this.#attend(transcode, temporaryPath, beginSpan(`transcode ${request.target.format}`))
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
    const { cache, metrics, log } = this.#deps;
    const outcome = await transcode.ended;
    metrics.ended.inc({ outcome });
    span?.end({ 'continuo.outcome': outcome });
    if (transcode.firstByteMs !== undefined) metrics.firstByteSeconds.observe(transcode.firstByteMs / 1000);
    if (transcode.neverBegan) this.#withoutFfmpegUntilMs = performance.now() + WITHOUT_FFMPEG_MS;
    if (outcome === 'finished') this.#waits.note(performance.now() - transcode.startedAtMs);
    await cache.discard(temporaryPath).catch((err: unknown) => log.warn({ err }, 'failed to remove partial transcode'));
  }
}

/** Identity of the output: size and time of the file, and all arguments of ffmpeg. */
const stateOf = ({ sizeBytes, mtimeMs }: LocatedFile): readonly number[] => [sizeBytes, mtimeMs];

const keyOf = ({ catalogPath, path }: TranscodeSource, places: readonly LocatedFile[], plan: TranscodePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([PROFILE_VERSION, catalogPath, path, places.map(stateOf), plan.inputOptions, plan.outputOptions]))
    .digest('hex');
