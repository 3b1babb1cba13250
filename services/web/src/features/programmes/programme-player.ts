import { watched } from '../../lib/watched.js';

/** An episode of a podcast or a radio station: heard alone, beside the queue. */
export interface Programme {
  readonly kind: 'podcast_episode' | 'live_stream';
  readonly id: string;
  readonly title: string;
  /** Name of its podcast; empty for stations. */
  readonly from: string;
  readonly url: string;
  readonly art: string | undefined;
  /** Length as it was told beforehand, s; 0 for what has no end. */
  readonly durationS: number;
}

/** State of the playback: programme, position, speed. */
export interface ProgrammeState {
  readonly programme: Programme | undefined;
  readonly state: 'loading' | 'playing' | 'paused' | 'failed';
  readonly positionS: number;
  /** As far as it is known, else as it was told. */
  readonly durationS: number;
  readonly speed: number;
}

/** Speeds that are offered. */
export const SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2] as const;

const SPEED_KEY = 'continuo-speed';
/** A position is kept so often while it moves, ms. */
const KEPT_EVERY_MS = 15_000;

const NOTHING: Omit<ProgrammeState, 'speed'> = { programme: undefined, state: 'paused', positionS: 0, durationS: 0 };

/** Dependencies of the player of programmes. */
export interface ProgrammeNeeds {
  readonly element: HTMLAudioElement;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Keeps where an episode is. */
  readonly onPosition: (programme: Programme, at: { readonly positionS: number; readonly durationS: number }) => void;
}

/** Plays one episode or station at a time. An episode has a speed, which is remembered, and a position, which is kept; a station has neither. */
export class ProgrammePlayer {
  readonly #state = watched<ProgrammeState>({ ...NOTHING, speed: 1 });
  readonly state = this.#state.current;
  readonly subscribe = this.#state.subscribe;
  #keptAtMs = 0;

  constructor(private readonly needs: ProgrammeNeeds) {
    this.#set({ speed: SPEEDS.find((one) => String(one) === needs.storage.getItem(SPEED_KEY)) ?? 1 });
    const { element } = needs;
    const on = (events: readonly string[], state: () => ProgrammeState['state'] | undefined): void => {
      for (const event of events) element.addEventListener(event, () => this.#note(state()));
    };
    on(['playing'], () => 'playing');
    on(['waiting'], () => (element.paused ? 'paused' : 'loading'));
    on(['pause', 'ended'], () => (this.state().state === 'failed' ? 'failed' : 'paused'));
    on(['error'], () => (element.getAttribute('src') === null ? undefined : 'failed'));
    on(['timeupdate', 'durationchange', 'seeked'], () => undefined);
    for (const event of ['pause', 'ended']) element.addEventListener(event, () => this.keep());
  }

  /** Plays a programme from a position on, s. */
  async play(programme: Programme, fromS = 0): Promise<void> {
    const { element } = this.needs;
    if (this.state().programme) this.keep();
    this.#keptAtMs = Date.now();
    this.#set({ programme, state: 'loading', positionS: fromS, durationS: programme.durationS });
    element.src = programme.url;
    element.defaultPlaybackRate = programme.kind === 'podcast_episode' ? this.state().speed : 1;
    element.playbackRate = element.defaultPlaybackRate;
    if (fromS > 0) element.currentTime = fromS;
    await this.#start();
  }

  async toggle(): Promise<void> {
    const { programme, state, positionS } = this.state();
    if (!programme) return;
    if (state === 'playing' || state === 'loading') this.pause();
    // What was paused of a station is over.
    else if (state === 'failed' || programme.kind === 'live_stream') await this.play(programme, positionS);
    else await this.#start();
  }

  pause(): void {
    this.needs.element.pause();
  }

  /** Goes to a position of an episode, s. */
  seek(positionS: number): void {
    const { programme, durationS } = this.state();
    if (programme?.kind !== 'podcast_episode') return;
    this.needs.element.currentTime = Math.min(Math.max(0, positionS), durationS || positionS);
    this.#note(undefined);
  }

  seekBy(byS: number): void {
    this.seek(this.needs.element.currentTime + byS);
  }

  setSpeed(speed: number): void {
    this.needs.storage.setItem(SPEED_KEY, String(speed));
    if (this.state().programme?.kind === 'podcast_episode') this.needs.element.playbackRate = speed;
    this.#set({ speed });
  }

  setVolume(volume: number): void {
    this.needs.element.volume = volume;
  }

  /** Ends what is heard. */
  close(): void {
    const { element } = this.needs;
    this.keep();
    this.#set(NOTHING);
    element.pause();
    element.removeAttribute('src');
    element.load();
  }

  /** Keeps where an episode is. */
  keep(): void {
    const { programme, positionS, durationS } = this.state();
    this.#keptAtMs = Date.now();
    if (programme?.kind === 'podcast_episode' && positionS > 0) this.needs.onPosition(programme, { positionS, durationS });
  }

  async #start(): Promise<void> {
    try {
      await this.needs.element.play();
    } catch (error) {
      // It was closed or replaced meanwhile, or its failure is told by an event of the element.
      if (!(error instanceof DOMException)) throw error;
      if (error.name === 'NotAllowedError') this.#set({ state: 'paused' });
    }
  }

  #note(state: ProgrammeState['state'] | undefined): void {
    const { element } = this.needs;
    const { programme } = this.state();
    if (!programme) return;
    const isEpisode = programme.kind === 'podcast_episode';
    const hasBegun = element.readyState > 0;
    this.#set({
      ...(state && { state }),
      ...(isEpisode && hasBegun ? { positionS: element.currentTime } : {}),
      ...(isEpisode && Number.isFinite(element.duration) ? { durationS: element.duration } : {}),
    });
    if (this.state().state === 'playing' && Date.now() - this.#keptAtMs > KEPT_EVERY_MS) this.keep();
  }

  #set(change: Partial<ProgrammeState>): void {
    this.#state.set({ ...this.state(), ...change });
  }
}
