import { JoinedStream } from './gapless/joined-stream.js';
import type { SoundFormat } from './gapless/sound-format.js';
import type { Playback, Track } from './track.js';

export const EMPTY: Playback = { state: 'empty', trackId: undefined, positionS: 0, durationS: Number.NaN, bufferedS: 0 };
const FULL_VOLUME = 1;
/** `HTMLMediaElement.HAVE_FUTURE_DATA` */
const HAVE_FUTURE_DATA = 3;

const covers = (ranges: TimeRanges, at: number): boolean =>
  Array.from({ length: ranges.length }, (_, index) => index).some((index) => ranges.start(index) <= at && at < ranges.end(index));

/** Told by a slot. */
interface SlotListener {
  /** The connection of its stream ended. */
  readonly onBroken: (slot: Slot) => void;
  /** The track that was to follow in its stream cannot be joined. */
  readonly onLeftOut: (slot: Slot, next: Track) => void;
  /** It has opened its track anew, which was not asked for. */
  readonly onReopen: (slot: Slot) => void;
}

/** A media element, the track in it, and the one that follows without a gap where both can be joined. */
export class Slot {
  track: Track | undefined;
  /** Position in the track at which the stream in the element begins, s; negative when others come before it in the stream. */
  #startS = 0;
  /** Holds the track, and the one after it; undefined when the element plays the address itself. */
  #joined: { readonly stream: JoinedStream; part: number; next: Track | undefined } | undefined;

  /** @param unjoinable addresses of files that cannot be joined, in spite of their format */
  constructor(
    readonly element: HTMLAudioElement,
    private readonly unjoinable: Set<string>,
    private readonly listener: SlotListener,
  ) {}

  /** @param volume 0 to 1, before the gain of the track */
  setVolume(volume: number): void {
    this.element.volume = Math.min(FULL_VOLUME, volume * (this.track?.gain ?? 1));
  }

  /** True when the track can begin to sound at once. */
  get isReady(): boolean {
    return this.track !== undefined && this.element.readyState >= HAVE_FUTURE_DATA;
  }

  /** The track that follows in the stream. */
  get joinedNext(): Track | undefined {
    return this.#joined?.next;
  }

  /** Lets a track follow in the stream. @returns false when it cannot */
  joinNext(track: Track | undefined): boolean {
    const joined = this.#joined;
    if (!joined) return false;
    if (joined.next && joined.next.url === track?.url) return true;
    if (joined.next) joined.stream.cut(joined.part);
    // Their volume could be changed only some time after the join.
    const isAlike = track && track.joinsAs === this.track?.joinsAs && track.gain === this.track?.gain;
    joined.next = isAlike && this.#formatOf(track) ? track : undefined;
    if (joined.next) joined.stream.append(joined.next.url);
    return joined.next !== undefined;
  }

  /** The next track of the stream is the current one from now on. @returns false when it is not known where it begins */
  advance(): boolean {
    const joined = this.#joined;
    const startS = joined?.stream.startOf(joined.part + 1);
    if (!joined?.next || startS === undefined) return false;
    this.track = joined.next;
    this.#startS = -startS;
    joined.part += 1;
    joined.next = undefined;
    return true;
  }

  /** Advances when the sound has gone over into the next track of the stream. @returns true then */
  advanceWhenReached(): boolean {
    const joined = this.#joined;
    const startS = joined?.next && joined.stream.startOf(joined.part + 1);
    return startS !== undefined && this.element.currentTime >= startS && this.advance();
  }

  /** Opens the stream of the track, from a position on, s. */
  begin(fromS: number): void {
    const { element, track } = this;
    this.leaveStream();
    if (!track) return;
    const { urlFrom, durationS } = track;
    element.preload = 'auto';
    if (urlFrom) {
      // Nothing can be made from the end on.
      this.#startS = Math.max(0, Math.min(fromS, durationS > 0 ? durationS - 1 : fromS));
      element.src = this.#startS > 0 ? urlFrom(this.#startS) : track.url;
      return;
    }
    this.#startS = 0;
    const format = this.#formatOf(track);
    if (format) return this.#beginStream(track, format, fromS);
    element.src = track.url;
    // Before anything is known of the file this says where it will begin.
    if (fromS > 0) element.currentTime = fromS;
  }

  /** Goes to a position in the track, s. @returns false when the track had to be opened there anew */
  move(positionS: number): boolean {
    const { element, track } = this;
    const at = positionS - this.#startS;
    // Of a stream without a known end Chromium says that all of it can be gone to, and then waits for ever.
    const reachable = Number.isFinite(element.duration) ? element.seekable : element.buffered;
    if (this.#joined) this.#joined.stream.seek(at);
    else if (!track?.urlFrom || covers(reachable, at) || Math.abs(element.currentTime - at) < 1) element.currentTime = at;
    else {
      this.begin(positionS);
      return false;
    }
    return true;
  }

  /** Takes the track and its sound out. */
  empty(): void {
    this.leaveStream();
    this.track = undefined;
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
  }

  leaveStream(): void {
    this.#joined?.stream.close();
    this.#joined = undefined;
  }

  measure(): Playback {
    const { element, track } = this;
    if (!track) return EMPTY;
    const { buffered, duration, readyState } = element;
    const startS = this.#startS;
    const running = readyState < HAVE_FUTURE_DATA ? 'loading' : 'playing';
    const isTold = Number.isFinite(duration) && duration > 0 && !track.urlFrom;
    const endS = this.#joined ? this.#joined.stream.endOf(this.#joined.part) : duration;
    return {
      state: element.paused ? 'paused' : running,
      trackId: track.id,
      positionS: startS + element.currentTime,
      durationS: isTold && endS !== undefined ? startS + endS : track.durationS || Number.NaN,
      bufferedS: buffered.length > 0 ? startS + buffered.end(buffered.length - 1) : startS,
    };
  }

  /** The format in which a track can be joined with others; undefined when it cannot. */
  #formatOf({ joinsAs, url }: Track): SoundFormat | undefined {
    return joinsAs && !this.unjoinable.has(url) && JoinedStream.isSupported(joinsAs) ? joinsAs : undefined;
  }

  #beginStream(track: Track, format: SoundFormat, fromS: number): void {
    const stream = new JoinedStream(this.element, format, (kind, part) => {
      const joined = this.#joined;
      if (joined?.stream !== stream) return;
      const isNext = part > joined.part;
      const failed = isNext ? joined.next : this.track;
      if (kind === 'unjoinable' && failed) this.unjoinable.add(failed.url);
      if (!isNext && kind === 'broken') return this.listener.onBroken(this);
      const { next } = joined;
      if (isNext) this.joinNext(undefined);
      else {
        this.begin(this.measure().positionS);
        this.listener.onReopen(this);
      }
      // This track goes on to its end as if none followed.
      if (next) this.listener.onLeftOut(this, next);
    });
    this.#joined = { stream, part: 0, next: undefined };
    stream.begin(track.url, fromS);
  }
}
