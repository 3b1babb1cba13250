import { watched } from '../../lib/watched.js';
import { Fader } from './fader.js';
import { EMPTY, Slot } from './slot.js';
import type { Playback, Track } from './track.js';

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

/**
 * Plays one track after another with two media elements: while one plays, the other loads what comes next and starts when the first ends. The same two are used
 * throughout, because browsers on phones let only elements play that a touch has started.
 */
export class PlayerEngine {
  readonly #slots: readonly [Slot, Slot];
  readonly #playback = watched<Playback>(EMPTY);
  readonly playback = this.#playback.current;
  readonly subscribe = this.#playback.subscribe;
  #active: Slot;
  #volume = 1;
  /** True while somebody wants to hear something, also when nothing comes. */
  #isWanted = false;
  /** Where the track broke off, until something is loaded. */
  #broken: Playback | undefined;
  #stalled: ReturnType<typeof setTimeout> | undefined;
  /** Start of the next track, shortly before this one ends. */
  #joining: ReturnType<typeof setTimeout> | undefined;
  readonly #fader = new Fader();
  /** Length of the fade into the prepared track, s; 0 for none. */
  #fadeS = 0;
  /** The slot whose track fades out, and what is to be prepared in it afterwards. */
  #fading: { readonly slot: Slot; readonly end: ReturnType<typeof setTimeout>; prepare?: () => void } | undefined;

  constructor(
    private readonly listener: EngineListener,
    newElement: () => HTMLAudioElement = () => new Audio(),
  ) {
    const unjoinable = new Set<string>();
    const slotListener = {
      onBroken: (slot: Slot) => this.#fail(slot, 'broken'),
      onLeftOut: (slot: Slot, next: Track) => {
        if (slot === this.#active) this.#prepareOther(next);
      },
      onReopen: (slot: Slot) => {
        if (this.#isWanted && slot === this.#active) void this.resume();
      },
    };
    const newSlot = (): Slot => new Slot(newElement(), unjoinable, slotListener);
    this.#slots = [newSlot(), newSlot()];
    [this.#active] = this.#slots;
    for (const slot of this.#slots) this.#follow(slot);
  }

  /** Lets both elements play later without a click; called while a click or a key is handled. */
  unlock(): void {
    this.#fader.resume();
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
      this.#active.empty();
      this.#active = other;
    }
    const slot = this.#active;
    if (fromS === 0 && slot.joinedNext?.url === track.url && slot.advance()) return this.seek(0);
    const isLoaded = slot.track?.url === track.url;
    slot.track = track;
    slot.setVolume(this.#volume);
    if (isLoaded) this.#move(slot, fromS);
    else this.#begin(slot, fromS);
    this.#update();
  }

  /** Loads what comes next; undefined for nothing. @param fadeS length of the fade into it, s; 0 to play one after the other */
  prepare(track: Track | undefined, fadeS = 0): void {
    if (this.#fading) {
      this.#fading.prepare = () => this.prepare(track, fadeS);
      return;
    }
    this.#fadeS = fadeS;
    if (fadeS > 0) this.enableFades();
    const joins = this.#active.joinNext(fadeS > 0 ? undefined : track);
    this.#prepareOther(joins ? undefined : track);
  }

  #prepareOther(track: Track | undefined): void {
    const other = this.#other();
    if (other.track?.url === track?.url) return;
    other.track = track;
    if (!track) return other.empty();
    other.setVolume(this.#volume);
    other.begin(0);
  }

  /** Takes the sound through a graph in which it can be faded; best before it begins, on a click. */
  enableFades(): void {
    this.#fader.attach(this.#slots.map(({ element }) => element));
  }

  /** Goes on playing. A browser that refuses sound without a click leaves the player paused. */
  async resume(): Promise<void> {
    this.#isWanted = true;
    this.#fader.resume();
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
    this.#endFade();
    this.#broken = undefined;
    for (const slot of this.#slots) slot.empty();
    this.#update();
  }

  /** Gives up the connection of the track: told as a failure, as if it had broken by itself. */
  breakOff(): void {
    if (!this.#broken) this.#fail(this.#active, 'broken');
  }

  /** @param volume 0 to 1 */
  setVolume(volume: number): void {
    this.#volume = volume;
    for (const slot of this.#slots) slot.setVolume(volume);
  }

  /** Position of the sound at this moment, s: browsers tell it some times a second only. */
  readonly positionS = (): number => this.#measure().positionS;

  #other(): Slot {
    const [one, two] = this.#slots;
    return this.#active === one ? two : one;
  }

  /** Tells when the sound has gone over into the next track of its stream. */
  #noteJoin(slot: Slot): void {
    if (!slot.advanceWhenReached() || !slot.track) return;
    this.#update();
    this.listener.onAdvance(slot.track.id);
  }

  #begin(slot: Slot, fromS: number): void {
    this.#trust();
    slot.begin(fromS);
  }

  #move(slot: Slot, positionS: number): void {
    if (slot.move(positionS)) return;
    this.#trust();
    if (this.#isWanted) void this.resume();
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

  /** Lets the next track start right where this one ends, or before that, when it fades in. */
  #join(slot: Slot): void {
    const { track, element } = slot;
    const next = this.#other();
    if (!next.track || this.#joining !== undefined || this.#fading) return;
    const { positionS, durationS } = slot.measure();
    if (this.#fadeS > 0) {
      const waitS = durationS - positionS - this.#fadeS;
      if (waitS < NEAR_END_S) this.#joining = setTimeout(() => this.#startFade(slot), Math.max(0, waitS) * 1000);
      return;
    }
    const leftS = (): number => element.duration - element.currentTime;
    if (!track?.isExact || !(leftS() < NEAR_END_S)) return;
    const start = (): void => {
      // A start that fails is tried again when this one has ended.
      if (!element.paused && leftS() < 2 * START_TAKES_S) next.element.play().catch(() => undefined);
    };
    this.#joining = setTimeout(start, Math.max(0, leftS() - START_TAKES_S) * 1000);
  }

  /** Plays the next track from now on, while this one fades out. */
  #startFade(slot: Slot): void {
    this.#joining = undefined;
    const next = this.#other();
    const { positionS, durationS } = slot.measure();
    const seconds = durationS - positionS;
    // What is not there yet begins when this one has ended.
    if (slot.element.paused || !next.track || !next.isReady || !(seconds > START_TAKES_S)) return;
    this.#fading = { slot, end: setTimeout(() => this.#endFade(), seconds * 1000) };
    this.#active = next;
    this.#fader.fade(slot.element, false, seconds);
    this.#fader.fade(next.element, true, seconds);
    void this.resume();
    this.#update();
    this.listener.onAdvance(next.track.id);
  }

  #endFade(): void {
    const fading = this.#fading;
    if (!fading) return;
    clearTimeout(fading.end);
    this.#fading = undefined;
    this.#fadeS = 0;
    fading.slot.empty();
    this.#fader.reset();
    fading.prepare?.();
  }

  /** Takes back a start of the next track, or a fade into it. */
  #separate(): void {
    this.#endFade();
    clearTimeout(this.#joining);
    this.#joining = undefined;
    const { element, track } = this.#other();
    if (element.paused) return;
    element.pause();
    if (track) element.currentTime = 0;
  }

  #ended(slot: Slot): void {
    const { track } = slot;
    const { positionS } = slot.measure();
    slot.leaveStream();
    if (track && positionS < track.durationS - EARLY_S) return this.#fail(slot, 'early');
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
    if (slot === this.#active) this.#broken = this.playback();
    slot.empty();
    if (slot !== this.#active) return;
    this.#update();
    this.listener.onFailure({ trackId: track.id, positionS: this.playback().positionS, kind });
  }

  #measure(): Playback {
    if (this.#broken) return { ...this.#broken, state: this.#isWanted ? 'loading' : 'paused' };
    return this.#active.measure();
  }

  #update(): void {
    const playback = this.#measure();
    this.#watchForStall(playback);
    this.#playback.set(playback);
  }

  #watchForStall({ state }: Playback): void {
    if (state !== 'loading' || this.#broken) this.#trust();
    else this.#stalled ??= setTimeout(() => this.#fail(this.#active, 'broken'), STALLED_AFTER_MS);
  }

  /** Something came, or is asked for: what stalled before does not count. */
  #trust(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  }
}
