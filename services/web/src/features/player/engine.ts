/** What a media element plays. */
export interface Track {
  readonly id: string;
  /** Address of its sound; it opens nothing else and ends after some hours. */
  readonly url: string;
  /** Gain in dB, from ReplayGain; 0 for none. */
  readonly gainDb: number;
}

/** State of the player, a new object with each change. */
export interface Playback {
  readonly state: 'empty' | 'loading' | 'playing' | 'paused' | 'failed';
  readonly trackId: string | undefined;
  readonly positionS: number;
  /** NaN until it is known. */
  readonly durationS: number;
  /** End of what is loaded, from the beginning, s. */
  readonly bufferedS: number;
}

/** Told what happens with a track. */
export interface EngineListener {
  /** The prepared track has begun, because the one before it came to its end. */
  readonly onAdvance: (trackId: string) => void;
  /** A track came to its end and none was prepared. */
  readonly onEnd: () => void;
  /** A track cannot be played. */
  readonly onFailure: (trackId: string) => void;
}

const EMPTY: Playback = { state: 'empty', trackId: undefined, positionS: 0, durationS: Number.NaN, bufferedS: 0 };
const FULL_VOLUME = 1;

/** Linear factor of a gain in dB. */
const factorOf = (gainDb: number): number => 10 ** (gainDb / 20);

/**
 * Plays one track after another with two media elements: while one plays, the other loads what comes next and starts when the first ends. The same two are used
 * throughout, because browsers on phones let only elements play that a touch has started.
 */
export class PlayerEngine {
  readonly #elements: readonly [HTMLAudioElement, HTMLAudioElement];
  readonly #tracks: [Track | undefined, Track | undefined] = [undefined, undefined];
  readonly #watchers = new Set<() => void>();
  #active: 0 | 1 = 0;
  #volume = FULL_VOLUME;
  #playback = EMPTY;

  constructor(
    private readonly listener: EngineListener,
    newElement: () => HTMLAudioElement = () => new Audio(),
  ) {
    this.#elements = [newElement(), newElement()];
    for (const [index, element] of this.#elements.entries()) this.#follow(element, index as 0 | 1);
  }

  /** Plays a track from a position, s; the one before it stops. */
  async play(track: Track, fromS = 0): Promise<void> {
    this.load(track, fromS);
    await this.resume();
  }

  /** Loads a track without playing it. */
  load(track: Track, fromS = 0): void {
    const element = this.#elements[this.#active];
    if (this.#tracks[this.#active]?.url !== track.url) element.src = track.url;
    this.#tracks[this.#active] = track;
    element.volume = this.#volumeOf(track);
    element.currentTime = fromS;
    this.#update();
  }

  /** Loads what comes next; undefined for nothing. */
  prepare(track: Track | undefined): void {
    const other = this.#other();
    if (this.#tracks[other]?.url === track?.url) return;
    this.#tracks[other] = track;
    const element = this.#elements[other];
    if (track) {
      element.preload = 'auto';
      element.src = track.url;
      element.volume = this.#volumeOf(track);
    } else this.#empty(element);
  }

  /** Goes on playing. A browser that refuses sound without a click leaves the player paused. */
  async resume(): Promise<void> {
    const element = this.#elements[this.#active];
    try {
      await element.play();
    } catch (error) {
      // A later call has loaded or paused something else, or the browser waits for a click.
      if (!(error instanceof DOMException) || (error.name !== 'AbortError' && error.name !== 'NotAllowedError')) this.#fail(this.#active);
    }
    this.#update();
  }

  pause(): void {
    this.#elements[this.#active].pause();
  }

  /** Goes to a position in the track, s. */
  seek(positionS: number): void {
    this.#elements[this.#active].currentTime = positionS;
    this.#update();
  }

  /** Stops and forgets the tracks. */
  stop(): void {
    for (const element of this.#elements) this.#empty(element);
    this.#tracks[0] = undefined;
    this.#tracks[1] = undefined;
    this.#update();
  }

  /** @param volume 0 to 1 */
  setVolume(volume: number): void {
    this.#volume = volume;
    for (const [index, element] of this.#elements.entries()) {
      const track = this.#tracks[index];
      if (track) element.volume = this.#volumeOf(track);
    }
  }

  /** Calls back after each change of the playback; returns how to end that. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly playback = (): Playback => this.#playback;

  #other(): 0 | 1 {
    return this.#active === 0 ? 1 : 0;
  }

  #volumeOf({ gainDb }: Track): number {
    return Math.min(FULL_VOLUME, this.#volume * factorOf(gainDb));
  }

  #empty(element: HTMLAudioElement): void {
    element.pause();
    element.removeAttribute('src');
    element.load();
  }

  #follow(element: HTMLAudioElement, index: 0 | 1): void {
    for (const name of ['play', 'playing', 'pause', 'waiting', 'timeupdate', 'durationchange', 'progress', 'seeked', 'loadstart'] as const)
      element.addEventListener(name, () => index === this.#active && this.#update());
    element.addEventListener('ended', () => index === this.#active && this.#advance());
    element.addEventListener('error', () => element.hasAttribute('src') && this.#fail(index));
  }

  #advance(): void {
    const other = this.#other();
    const next = this.#tracks[other];
    this.#tracks[this.#active] = undefined;
    if (!next) {
      this.#update();
      this.listener.onEnd();
      return;
    }
    this.#active = other;
    void this.resume();
    this.listener.onAdvance(next.id);
  }

  #fail(index: 0 | 1): void {
    const track = this.#tracks[index];
    if (!track) return;
    this.#tracks[index] = undefined;
    if (index !== this.#active) return;
    this.#playback = { ...this.#playback, state: 'failed' };
    this.#tell();
    this.listener.onFailure(track.id);
  }

  #update(): void {
    const element = this.#elements[this.#active];
    const track = this.#tracks[this.#active];
    const { buffered } = element;
    this.#playback = track
      ? {
          state: element.paused ? 'paused' : element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA ? 'loading' : 'playing',
          trackId: track.id,
          positionS: element.currentTime,
          durationS: element.duration,
          bufferedS: buffered.length > 0 ? buffered.end(buffered.length - 1) : 0,
        }
      : EMPTY;
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
