import { JoinedStream } from './gapless/joined-stream.js';

/** Source for a media element, and how it is played. */
export interface Track {
  readonly id: string;
  /** Address of its sound; it opens nothing else and ends after some hours. */
  readonly url: string;
  /** Factor of the volume, from ReplayGain; 1 for none. */
  readonly gain: number;
  /** Length of the whole, for streams that do not tell theirs, s; 0 for unknown. */
  readonly durationS: number;
  /** True when the browser knows to the millisecond when it ends, so that the next can start right there. */
  readonly isExact?: boolean;
  /** True for a FLAC file of this server: such files can be joined without a gap. */
  readonly isJoinable?: boolean;
  /** Address of its sound from a position on, s: for streams that are made while they are sent, in which nobody can go to what is not there yet. */
  readonly urlFrom?: ((positionS: number) => string) | undefined;
}

/** State of the player, a new object with each change. */
export interface Playback {
  readonly state: 'empty' | 'loading' | 'playing' | 'paused';
  readonly trackId: string | undefined;
  readonly positionS: number;
  /** NaN until it is known. */
  readonly durationS: number;
  /** End of what is loaded, from the beginning, s. */
  readonly bufferedS: number;
}

/** How the sound of a track broke off. */
export interface PlaybackFailure {
  readonly trackId: string;
  readonly positionS: number;
  /** `refused`: the browser could not open or decode it; `broken`: the connection ended; `early`: it ended long before its time. */
  readonly kind: 'refused' | 'broken' | 'early';
}

/** Told what happens with a track. */
export interface EngineListener {
  /** The prepared track has begun, because the one before it came to its end. */
  readonly onAdvance: (trackId: string) => void;
  /** A track came to its end and none was prepared. */
  readonly onEnd: () => void;
  /** The sound of the track broke off; the playback stands where it was until the track is loaded again. */
  readonly onFailure: (failure: PlaybackFailure) => void;
}

interface Slot {
  readonly element: HTMLAudioElement;
  track: Track | undefined;
  /** Position in the track at which the stream in the element begins, s; negative when others come before it in the stream. */
  startS: number;
  /** Holds the track, and the one after it; undefined when the element plays the address itself. */
  joined: { readonly stream: JoinedStream; part: number; next: Track | undefined } | undefined;
}

const EMPTY: Playback = { state: 'empty', trackId: undefined, positionS: 0, durationS: Number.NaN, bufferedS: 0 };
const FULL_VOLUME = 1;
/** `HTMLMediaElement.HAVE_FUTURE_DATA` */
const HAVE_FUTURE_DATA = 3;
/** `MediaError.MEDIA_ERR_NETWORK` */
const NETWORK_ERROR = 2;
/** A stream that brings nothing for so long is taken for broken, ms. */
const STALLED_AFTER_MS = 20_000;
/** A stream that ends so long before the end of its track has broken off, s. */
const EARLY_S = 10;

/** Where the end is near, the start of the next is put on the clock, s. */
const NEAR_END_S = 1;
/** From `play` to the first sound passes about so much, s: measured in Chromium, where the next would begin 10 to 28 ms late without it. */
const START_TAKES_S = 0.02;

const covers = (ranges: TimeRanges, at: number): boolean =>
  Array.from({ length: ranges.length }, (_, index) => index).some((index) => ranges.start(index) <= at && at < ranges.end(index));

/**
 * Plays one track after another with two media elements: while one plays, the other loads what comes next and starts when the first ends. The same two are used
 * throughout, because browsers on phones let only elements play that a touch has started.
 */
export class PlayerEngine {
  readonly #slots: readonly [Slot, Slot];
  readonly #watchers = new Set<() => void>();
  #active: Slot;
  #volume = FULL_VOLUME;
  #playback = EMPTY;
  /** True while somebody wants to hear something, also when nothing comes. */
  #isWanted = false;
  /** Where the track broke off, until something is loaded. */
  #broken: Playback | undefined;
  #stalled: ReturnType<typeof setTimeout> | undefined;
  /** Start of the next track, shortly before this one ends. */
  #joining: ReturnType<typeof setTimeout> | undefined;
  /** Addresses of files that cannot be joined, in spite of their format. */
  readonly #unjoinable = new Set<string>();

  constructor(
    private readonly listener: EngineListener,
    newElement: () => HTMLAudioElement = () => new Audio(),
  ) {
    const newSlot = (): Slot => ({ element: newElement(), track: undefined, startS: 0, joined: undefined });
    this.#slots = [newSlot(), newSlot()];
    [this.#active] = this.#slots;
    for (const slot of this.#slots) this.#follow(slot);
  }

  /** Lets both elements play later without a click; called while a click or a key is handled. */
  unlock(): void {
    for (const { element, track } of this.#slots) if (!track) element.load();
  }

  /** Plays a track from a position, s; the one before it stops. */
  async play(track: Track, fromS = 0): Promise<void> {
    this.load(track, fromS);
    await this.resume();
  }

  /** Loads a track without playing it. */
  load(track: Track, fromS = 0): void {
    this.#broken = undefined;
    const other = this.#other();
    this.#separate();
    if (fromS === 0 && other.track?.url === track.url) {
      this.#empty(this.#active);
      this.#active = other;
    }
    const slot = this.#active;
    if (fromS === 0 && slot.joined?.next?.url === track.url && this.#advance(slot)) return this.seek(0);
    const isLoaded = slot.track?.url === track.url;
    slot.track = track;
    this.#setVolume(slot);
    if (isLoaded) this.#move(slot, fromS);
    else this.#begin(slot, fromS);
    this.#update();
  }

  /** Loads what comes next; undefined for nothing. */
  prepare(track: Track | undefined): void {
    const joins = this.#prepareJoined(this.#active, track);
    this.#prepareOther(joins ? undefined : track);
  }

  #prepareOther(track: Track | undefined): void {
    const other = this.#other();
    if (other.track?.url === track?.url) return;
    other.track = track;
    if (!track) return this.#empty(other);
    this.#setVolume(other);
    this.#begin(other, 0);
  }

  /** Goes on playing. A browser that refuses sound without a click leaves the player paused. */
  async resume(): Promise<void> {
    this.#isWanted = true;
    const { element, track } = this.#active;
    if (track)
      await element.play().catch((error: unknown) => {
        // A later call has loaded or paused something else, or an error event says what could not be opened.
        if (!(error instanceof DOMException)) throw error;
        if (error.name === 'NotAllowedError') this.#isWanted = false;
      });
    this.#update();
  }

  pause(): void {
    this.#isWanted = false;
    this.#separate();
    this.#active.element.pause();
    this.#update();
  }

  /** Goes to a position in the track, s. */
  seek(positionS: number): void {
    this.#separate();
    if (this.#broken) this.#broken = { ...this.#broken, positionS };
    else if (this.#active.track) this.#move(this.#active, positionS);
    this.#update();
  }

  /** Stops and forgets the tracks. */
  stop(): void {
    this.#isWanted = false;
    this.#broken = undefined;
    for (const slot of this.#slots) this.#empty(slot);
    this.#update();
  }

  /** Gives up the connection of the track: told as a failure, as if it had broken by itself. */
  breakOff(): void {
    if (!this.#broken) this.#fail(this.#active, 'broken');
  }

  /** @param volume 0 to 1 */
  setVolume(volume: number): void {
    this.#volume = volume;
    for (const slot of this.#slots) this.#setVolume(slot);
  }

  /** Calls back after each change of the playback; returns how to end that. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly playback = (): Playback => this.#playback;

  #other(): Slot {
    const [one, two] = this.#slots;
    return this.#active === one ? two : one;
  }

  #setVolume({ element, track }: Slot): void {
    element.volume = Math.min(FULL_VOLUME, this.#volume * (track?.gain ?? 1));
  }

  /** Lets a track follow in the stream that plays. @returns false when it cannot */
  #prepareJoined({ joined, track: current }: Slot, track: Track | undefined): boolean {
    if (!joined) return false;
    if (joined.next && joined.next.url === track?.url) return true;
    if (joined.next) joined.stream.cut(joined.part);
    // Their volume could be changed only some time after the join.
    joined.next = track && this.#canJoin(track) && track.gain === current?.gain ? track : undefined;
    if (joined.next) joined.stream.append(joined.next.url);
    return joined.next !== undefined;
  }

  #canJoin({ isJoinable = false, url }: Track): boolean {
    return isJoinable && !this.#unjoinable.has(url) && JoinedStream.isSupported();
  }

  /** The next track of the stream is the current one from now on. @returns false when it is not known where it begins */
  #advance(slot: Slot): boolean {
    const { joined } = slot;
    const startS = joined?.stream.startOf(joined.part + 1);
    if (!joined?.next || startS === undefined) return false;
    slot.track = joined.next;
    slot.startS = -startS;
    joined.part += 1;
    joined.next = undefined;
    return true;
  }

  /** Tells when the sound has gone over into the next track of its stream. */
  #noteJoin(slot: Slot): void {
    const { joined, element } = slot;
    const startS = joined?.next && joined.stream.startOf(joined.part + 1);
    if (startS === undefined || element.currentTime < startS || !this.#advance(slot) || !slot.track) return;
    this.#update();
    this.listener.onAdvance(slot.track.id);
  }

  #empty(slot: Slot): void {
    this.#leaveStream(slot);
    slot.track = undefined;
    slot.element.pause();
    slot.element.removeAttribute('src');
    slot.element.load();
  }

  /** Opens the stream of a track, from a position on. */
  #begin(slot: Slot, fromS: number): void {
    const { element, track } = slot;
    this.#leaveStream(slot);
    if (!track) return;
    if (slot === this.#active) this.#trust();
    const { urlFrom, durationS } = track;
    element.preload = 'auto';
    if (urlFrom) {
      // Nothing can be made from the end on.
      slot.startS = Math.max(0, Math.min(fromS, durationS > 0 ? durationS - 1 : fromS));
      element.src = slot.startS > 0 ? urlFrom(slot.startS) : track.url;
      return;
    }
    slot.startS = 0;
    if (this.#canJoin(track)) return this.#beginStream(slot, track, fromS);
    element.src = track.url;
    // Before anything is known of the file this says where it will begin.
    if (fromS > 0) element.currentTime = fromS;
  }

  #beginStream(slot: Slot, track: Track, fromS: number): void {
    const stream = new JoinedStream(slot.element, (kind) => {
      if (slot.joined?.stream !== stream) return;
      if (kind === 'broken') return this.#fail(slot, 'broken');
      for (const { url } of [slot.track, slot.joined.next].filter((one) => one !== undefined)) this.#unjoinable.add(url);
      const { positionS } = this.#measureSlot(slot);
      this.#begin(slot, positionS);
      if (this.#isWanted && slot === this.#active) void this.resume();
    });
    slot.joined = { stream, part: 0, next: undefined };
    stream.begin(track.url, fromS);
  }

  #leaveStream(slot: Slot): void {
    slot.joined?.stream.close();
    slot.joined = undefined;
  }

  #move(slot: Slot, positionS: number): void {
    const { element, track, startS, joined } = slot;
    const at = positionS - startS;
    if (joined) return joined.stream.seek(at);
    // Of a stream without a known end Chromium says that all of it can be gone to, and then waits for ever.
    const reachable = Number.isFinite(element.duration) ? element.seekable : element.buffered;
    if (!track?.urlFrom || covers(reachable, at) || Math.abs(element.currentTime - at) < 1) element.currentTime = at;
    else {
      this.#begin(slot, positionS);
      if (this.#isWanted) void this.resume();
    }
  }

  #follow(slot: Slot): void {
    const { element } = slot;
    const isActive = (): boolean => slot === this.#active && slot.track !== undefined;
    for (const name of ['play', 'playing', 'waiting', 'timeupdate', 'durationchange', 'seeked', 'canplay'] as const)
      element.addEventListener(name, () => isActive() && this.#update());
    element.addEventListener('timeupdate', () => {
      if (!isActive()) return;
      this.#noteJoin(slot);
      this.#join(slot);
    });
    element.addEventListener('progress', () => {
      if (!isActive()) return;
      this.#trust();
      this.#update();
    });
    element.addEventListener('pause', () => {
      if (!isActive()) return;
      // The system has paused it, such as when headphones were unplugged; an event that is late says nothing.
      if (element.paused && !element.ended) {
        this.#isWanted = false;
        this.#separate();
      }
      this.#update();
    });
    element.addEventListener('ended', () => isActive() && element.ended && this.#ended(slot));
    element.addEventListener('error', () => {
      if (element.error && element.hasAttribute('src')) this.#fail(slot, element.error.code === NETWORK_ERROR ? 'broken' : 'refused');
    });
  }

  /** Lets the next track start right where this one ends. */
  #join({ track, element }: Slot): void {
    const next = this.#other();
    const leftS = (): number => element.duration - element.currentTime;
    if (!track?.isExact || !next.track || this.#joining !== undefined || !(leftS() < NEAR_END_S)) return;
    const start = (): void => {
      // A start that fails is tried again when this one has ended.
      if (!element.paused && leftS() < 2 * START_TAKES_S) next.element.play().catch(() => undefined);
    };
    this.#joining = setTimeout(start, Math.max(0, leftS() - START_TAKES_S) * 1000);
  }

  /** Takes back a start of the next track. */
  #separate(): void {
    clearTimeout(this.#joining);
    this.#joining = undefined;
    const { element, track } = this.#other();
    if (element.paused) return;
    element.pause();
    if (track) element.currentTime = 0;
  }

  #ended(slot: Slot): void {
    const { track, element, startS } = slot;
    this.#leaveStream(slot);
    if (track && startS + element.currentTime < track.durationS - EARLY_S) return this.#fail(slot, 'early');
    slot.track = undefined;
    const next = this.#other();
    if (!next.track) {
      this.#update();
      return this.listener.onEnd();
    }
    this.#active = next;
    clearTimeout(this.#joining);
    this.#joining = undefined;
    void this.resume();
    this.#update();
    this.listener.onAdvance(next.track.id);
  }

  #fail(slot: Slot, kind: PlaybackFailure['kind']): void {
    const { track } = slot;
    if (!track) return;
    if (slot === this.#active) this.#broken = this.#playback;
    this.#empty(slot);
    if (slot !== this.#active) return;
    this.#update();
    this.listener.onFailure({ trackId: track.id, positionS: this.#playback.positionS, kind });
  }

  #measure(): Playback {
    if (this.#broken) return { ...this.#broken, state: this.#isWanted ? 'loading' : 'paused' };
    return this.#measureSlot(this.#active);
  }

  #measureSlot({ element, track, startS, joined }: Slot): Playback {
    if (!track) return EMPTY;
    const { buffered, duration, readyState } = element;
    const running = readyState < HAVE_FUTURE_DATA ? 'loading' : 'playing';
    const isTold = Number.isFinite(duration) && duration > 0 && !track.urlFrom;
    const endS = joined ? joined.stream.endOf(joined.part) : duration;
    return {
      state: element.paused ? 'paused' : running,
      trackId: track.id,
      positionS: startS + element.currentTime,
      durationS: isTold && endS !== undefined ? startS + endS : track.durationS || Number.NaN,
      bufferedS: buffered.length > 0 ? startS + buffered.end(buffered.length - 1) : startS,
    };
  }

  #update(): void {
    this.#playback = this.#measure();
    this.#watchForStall();
    for (const watcher of this.#watchers) watcher();
  }

  #watchForStall(): void {
    if (this.#playback.state !== 'loading' || this.#broken) this.#trust();
    else this.#stalled ??= setTimeout(() => this.#fail(this.#active, 'broken'), STALLED_AFTER_MS);
  }

  /** Something came, or is asked for: what stalled before does not count. */
  #trust(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  }
}
