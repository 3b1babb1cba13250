import { FLAC_MP4, initSegment, mediaSegment } from './flac-mp4.js';
import { flacFrames, pause, RefusedError, type FlacFile } from './flac-file.js';
import { NotFlacError, type FlacFrame, type FlacInfo } from './flac.js';

/** Sound is loaded so far ahead, and kept so far behind, s. */
const KEPT_S = 30;
/** But not more than this: browsers take some twelve million bytes for a source. */
const MOST_KEPT_BYTES = 3_000_000;
const LOOKS_EVERY_MS = 250;

/** One of the files. */
interface Part extends FlacFile {
  /** Where it begins on the time line, s; known when the length of the one before it is. */
  startS: number | undefined;
}

const covers = (ranges: TimeRanges, at: number): boolean =>
  Array.from({ length: ranges.length }, (_, index) => index).some((index) => ranges.start(index) <= at && at < ranges.end(index));

const lengthOf = ({ samples, rate }: FlacInfo): number => samples / rate;

const next = (target: EventTarget, event: string): Promise<unknown> =>
  new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));

/**
 * Plays FLAC files in one media element as one line of sound, in which each begins at the very sample where the one before it ends. Their frames are put into segments
 * as Media Source takes them; nothing is decoded here.
 */
export class JoinedStream {
  readonly #source = new MediaSource();
  readonly #address = URL.createObjectURL(this.#source);
  readonly #parts: Part[] = [];
  readonly #buffer: Promise<SourceBuffer>;
  #loading = new AbortController();
  /** Index of the part that is loaded. */
  #at = 0;
  /** The part whose description the buffer has been given last. */
  #described: Part | undefined;

  /** True in browsers that can do this. Safari has crashed on such segments. */
  static isSupported(): boolean {
    return typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(FLAC_MP4) && !navigator.vendor.startsWith('Apple');
  }

  /** @param onFailure called when the sound cannot go on: the file is none that can be joined, or the server does not send it */
  constructor(
    private readonly element: HTMLAudioElement,
    private readonly onFailure: (kind: 'unjoinable' | 'broken') => void,
  ) {
    this.#buffer = next(this.#source, 'sourceopen').then(() => this.#source.addSourceBuffer(FLAC_MP4));
    element.src = this.#address;
  }

  /** Begins with a file, from a position in it, s. */
  begin(url: string, fromS: number): void {
    this.#parts.push({ url, startS: 0, info: undefined, length: 0 });
    if (fromS > 0) this.element.currentTime = fromS;
    this.#start(0, fromS);
  }

  /** Lets a file follow the last one. */
  append(url: string): void {
    this.#parts.push({ url, startS: undefined, info: undefined, length: 0 });
    if (this.#at === this.#parts.length - 1) this.#start(this.#at, 0);
  }

  /** Forgets what follows a part. */
  cut(part: number): void {
    if (this.#parts.length === part + 1) return;
    const end = this.endOf(part);
    this.#parts.length = part + 1;
    if (this.#at <= part || end === undefined) return;
    this.#start(part + 1, 0, end);
  }

  /** Goes to a position on the time line, s. */
  seek(timeS: number): void {
    this.element.currentTime = timeS;
    if (covers(this.element.buffered, timeS)) return;
    const part = Math.max(
      0,
      this.#parts.findLastIndex(({ startS }) => startS !== undefined && startS <= timeS),
    );
    this.#start(part, timeS - (this.#parts[part]?.startS ?? 0));
  }

  /** Where a part begins on the time line, s; undefined while that is unknown. */
  startOf(part: number): number | undefined {
    return this.#parts[part]?.startS;
  }

  /** Where a part ends on the time line, s; undefined while that is unknown. */
  endOf(part: number): number | undefined {
    const { startS, info } = this.#parts[part] ?? {};
    return startS === undefined || !info ? undefined : startS + lengthOf(info);
  }

  close(): void {
    this.#loading.abort();
    URL.revokeObjectURL(this.#address);
  }

  /** Loads a part from a position in it, s, and those after it. @param cutAtS what stands after this on the time line is removed first */
  #start(part: number, fromS: number, cutAtS?: number): void {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#at = part;
    this.#load(fromS, signal, cutAtS).catch((error: unknown) => {
      if (signal.aborted) return;
      // A file that is no plain FLAC is played without this.
      if (!(error instanceof RefusedError)) console.warn(error);
      this.onFailure(error instanceof RefusedError ? 'broken' : 'unjoinable');
    });
  }

  async #load(fromS: number, signal: AbortSignal, cutAtS: number | undefined): Promise<void> {
    const buffer = await this.#buffer;
    while (buffer.updating) await next(buffer, 'updateend');
    if (cutAtS !== undefined && !signal.aborted) await this.#change(() => buffer.remove(cutAtS, Number.POSITIVE_INFINITY));
    for (let position = fromS; !signal.aborted; position = 0) {
      const part = this.#parts[this.#at];
      if (!part) {
        while (buffer.updating) await next(buffer, 'updateend');
        if (!signal.aborted && this.#source.readyState === 'open') this.#source.endOfStream();
        return;
      }
      for await (const frames of flacFrames(part, position, signal)) await this.#put(part, frames, signal);
      if (!signal.aborted) this.#at += 1;
    }
  }

  async #put(part: Part, frames: readonly FlacFrame[], signal: AbortSignal): Promise<void> {
    const { info } = part;
    const [first] = frames;
    if (!info || !first || signal.aborted) return;
    if (this.#described !== part) await this.#describe(part, info);
    const startS = part.startS ?? 0;
    const segment = mediaSegment(frames, Math.round(startS * info.rate) + first.sample);
    if (!signal.aborted) await this.#change((buffer) => buffer.appendBuffer(segment));
    const keptS = Math.min(KEPT_S, (MOST_KEPT_BYTES * lengthOf(info)) / part.length);
    const { element } = this;
    const from = element.currentTime - keptS;
    if (!signal.aborted && element.buffered.length > 0 && element.buffered.start(0) < from - keptS)
      await this.#change((buffer) => buffer.remove(0, from));
    const putS = startS + first.sample / info.rate;
    while (!signal.aborted && putS - element.currentTime > keptS) await pause(LOOKS_EVERY_MS);
  }

  async #describe(part: Part, info: FlacInfo): Promise<void> {
    part.startS ??= this.endOf(this.#parts.indexOf(part) - 1);
    if (info.samples === 0 || part.startS === undefined) throw new NotFlacError('The file does not tell how long it is.');
    const endS = part.startS + lengthOf(info);
    // Opens a source again that had come to its end: only then its length can be set.
    (await this.#buffer).timestampOffset = 0;
    if (!(this.#source.duration >= endS)) this.#source.duration = endS;
    await this.#change((buffer) => buffer.appendBuffer(initSegment(info)));
    this.#described = part;
  }

  /** Changes what is buffered, and waits until that is done. */
  async #change(change: (buffer: SourceBuffer) => void): Promise<void> {
    const buffer = await this.#buffer;
    // What was loaded for another position may still be on its way.
    while (buffer.updating) await next(buffer, 'updateend');
    if (this.#source.readyState === 'closed') return;
    const done = next(buffer, 'updateend');
    change(buffer);
    await done;
  }
}
