import { framesOf, pause, RefusedError, type SoundFile } from './sound-file.js';
import { UnjoinableError, type SoundFormat, type SoundFrame, type SoundInfo } from './sound-format.js';

/** Sound is loaded so far ahead, and kept so far behind, s. */
const KEPT_S = 30;
/** But not more than this: browsers take some twelve million bytes for a source. */
const MOST_KEPT_BYTES = 3_000_000;
const LOOKS_EVERY_MS = 250;

/** One of the files. */
interface Part extends SoundFile {
  /** Where it begins on the time line, s; known when the length of the one before it is. */
  startS: number | undefined;
}

const covers = (ranges: TimeRanges, at: number): boolean =>
  Array.from({ length: ranges.length }, (_, index) => index).some((index) => ranges.start(index) <= at && at < ranges.end(index));

const lengthOf = ({ samples, rate }: SoundInfo): number => samples / rate;

const next = (target: EventTarget, event: string): Promise<unknown> =>
  new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));

/**
 * Plays files of a format in one media element as one line of sound, in which each begins at the very sample where the one before it ends. Their frames are put into segments
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
  /** The sample that follows what the buffer has been given last. */
  #following: number | undefined;

  /** True in browsers that can do this. Safari has crashed on such segments. */
  static isSupported({ mime }: SoundFormat): boolean {
    return typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(mime) && !navigator.vendor.startsWith('Apple');
  }

  /** @param onFailure called when a part cannot be loaded: the file is none that can be joined, or the server does not send it */
  constructor(
    private readonly element: HTMLAudioElement,
    private readonly format: SoundFormat,
    private readonly onFailure: (kind: 'unjoinable' | 'broken', part: number) => void,
  ) {
    this.#buffer = next(this.#source, 'sourceopen').then(() => this.#source.addSourceBuffer(format.mime));
    element.src = this.#address;
  }

  /** Begins with a file, from a position in it, s. */
  begin(url: string, fromS: number): void {
    this.#parts.push({ url, format: this.format, startS: 0, info: undefined, length: 0 });
    if (fromS > 0) this.element.currentTime = fromS;
    this.#start(0, fromS);
  }

  /** Lets a file follow the last one. */
  append(url: string): void {
    this.#parts.push({ url, format: this.format, startS: undefined, info: undefined, length: 0 });
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
      const isRefused = error instanceof RefusedError;
      // A file that cannot be joined is played without this.
      if (!isRefused && !(error instanceof UnjoinableError)) console.warn(error);
      this.onFailure(isRefused ? 'broken' : 'unjoinable', this.#at);
    });
  }

  async #load(fromS: number, signal: AbortSignal, cutAtS: number | undefined): Promise<void> {
    const buffer = await this.#buffer;
    while (buffer.updating) await next(buffer, 'updateend');
    // What follows may not have been loaded yet: then nothing ends there.
    const hasMore = cutAtS !== undefined && cutAtS < this.#source.duration;
    if (hasMore && !signal.aborted) await this.#change(() => buffer.remove(cutAtS, Number.POSITIVE_INFINITY));
    for (let position = fromS; !signal.aborted; position = 0) {
      const part = this.#parts[this.#at];
      if (!part) {
        while (buffer.updating) await next(buffer, 'updateend');
        if (!signal.aborted && this.#source.readyState === 'open') this.#source.endOfStream();
        return;
      }
      for await (const frames of framesOf(part, position, signal)) await this.#put(part, frames, signal);
      if (!signal.aborted) this.#at += 1;
    }
  }

  async #put(part: Part, frames: readonly SoundFrame[], signal: AbortSignal): Promise<void> {
    const { info } = part;
    const [first] = frames;
    if (!info || !first || signal.aborted) return;
    if (this.#described !== part) await this.#describe(part, info);
    const startS = part.startS ?? 0;
    if (this.#following !== first.sample)
      await this.#place(startS + ((this.format.tellsTime ? 0 : first.sample) - info.leadSamples) / info.rate);
    const segment = this.format.segmentOf(frames);
    this.#following = frames.reduce((sum, { samples }) => sum + samples, first.sample);
    if (!signal.aborted) await this.#change((buffer) => buffer.appendBuffer(segment));
    const keptS = Math.min(KEPT_S, (MOST_KEPT_BYTES * lengthOf(info)) / part.length);
    const { element } = this;
    const from = element.currentTime - keptS;
    if (!signal.aborted && element.buffered.length > 0 && element.buffered.start(0) < from - keptS)
      await this.#change((buffer) => buffer.remove(0, from));
    const putS = startS + (first.sample - info.leadSamples) / info.rate;
    while (!signal.aborted && putS - element.currentTime > keptS) await pause(LOOKS_EVERY_MS);
  }

  async #describe(part: Part, info: SoundInfo): Promise<void> {
    part.startS ??= this.endOf(this.#parts.indexOf(part) - 1);
    if (info.samples === 0 || part.startS === undefined) throw new UnjoinableError('The file does not tell how long it is.');
    const endS = part.startS + lengthOf(info);
    const buffer = await this.#buffer;
    // Opens a source again that had come to its end: only then its length can be set.
    buffer.timestampOffset = 0;
    if (!(this.#source.duration >= endS)) this.#source.duration = endS;
    // What the encoder put before and after the sound is cut off. A window never ends before it begins.
    buffer.appendWindowEnd = Number.POSITIVE_INFINITY;
    buffer.appendWindowStart = part.startS;
    buffer.appendWindowEnd = endS;
    const { initSegment } = info;
    if (initSegment) await this.#change(() => buffer.appendBuffer(initSegment));
    this.#described = part;
    this.#following = undefined;
  }

  /** Says where on the time line what comes next has its beginning, s. */
  async #place(atS: number): Promise<void> {
    const buffer = await this.#buffer;
    while (buffer.updating) await next(buffer, 'updateend');
    if (this.#source.readyState !== 'closed') buffer.timestampOffset = atS;
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
