import type { Song } from '../../lib/api.js';
import type { SongSource } from '../../lib/song-sources.js';
import type { SongCatalog } from './catalog.js';
import { PlayerEngine, type PlaybackFailure } from './engine.js';
import { formOf, gainOf, trackOf, type Form, type Quality } from './form.js';
import { NOTHING_KEPT, readKept, readPosition, writeKept, writePosition, type Kept } from './kept.js';
import { Refusals } from './refusals.js';
import {
  dequeue,
  enqueue,
  move,
  startAt,
  startShuffled,
  stepBack,
  stepForward,
  stepTo,
  taken,
  toggleShuffle,
  type Queue,
  type Repeat,
  type Step,
} from './queue.js';

/** Addresses carry a token that ends after two to three hours; a song that was fetched earlier than this is fetched again, ms. */
const ADDRESS_AGE_MS = 3_600_000;
const MS_PER_MINUTE = 60_000;
const RESTART_AFTER_S = 3;
const SAVED_EVERY_MS = 5000;
/** Pauses between attempts to reach the server, ms; the last one again and again. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000] as const;
const LAST_PAUSE_MS = 15_000;
/** Attempts at one place of a song before it is left out. */
const MOST_ATTEMPTS = 4;
/** Songs that are left out one after another before the player stops. */
const MOST_LEFT_OUT = 5;

/** State of the player that views show, besides the playback. */
export interface PlayerState extends Kept {
  /** Song that could not be played, until somebody chooses another one. */
  readonly failed: Song | undefined;
  /** True while the server does not answer. */
  readonly isAway: boolean;
  readonly sleep: Sleep;
}

/** When the player stops by itself: never, after the song, or after so many minutes. */
export type Sleep = 'off' | 'song' | number;

/** Minutes that are offered for it. */
export const SLEEP_MINUTES = [15, 30, 45, 60, 90] as const;

/** Dependencies of the player: catalog, storage, abilities of the browser. */
export interface PlayerNeeds {
  readonly catalog: SongCatalog;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** True when the browser may be able to play a type. */
  readonly canPlay: (mime: string) => boolean;
  /** Told why something that is to be heard now cannot be asked for; the player tries again by itself. */
  readonly onTrouble?: (error: unknown) => void;
  readonly newElement?: () => HTMLAudioElement;
}

const NEXT_REPEAT: Readonly<Record<Repeat, Repeat>> = { off: 'all', all: 'one', one: 'off' };

const pauseFor = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSES_MS[attempt] ?? LAST_PAUSE_MS);
  });

const isSameStep = (one: Step, other: Step): boolean => {
  if (one.from === 'context') return other.from === 'context' && one.position === other.position;
  if (one.from === 'up-next') return other.from === 'up-next' && one.entry.key === other.entry.key;
  return other.from === 'current' && one.song.id === other.song.id;
};

/** Plays the queue: asks for songs of its list, prepares the next one, goes on where a stream broke off, keeps all for the next visit. */
export class Player {
  readonly engine: PlayerEngine;
  readonly #watchers = new Set<() => void>();
  readonly #fetchedAtMs = new WeakMap<Song, number>();
  readonly #refusals = new Refusals();
  #state: PlayerState = { ...NOTHING_KEPT, failed: undefined, isAway: false, sleep: 'off' };
  /** The song that the engine has loaded ahead, and the step that leads to it. */
  #prepared: { readonly step: Step; readonly song: Song; readonly source: SongSource | undefined } | undefined;
  /** Grows with everything that is to be played, so that answers which come late are dropped. */
  #turn = 0;
  /** The turn in which a song is asked for. */
  #taking = -1;
  #preparing = 0;
  #failure: { readonly id: string; readonly positionS: number; readonly attempts: number } | undefined;
  #leftOut = 0;
  #savedAtMs = 0;
  #sleeping: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly needs: PlayerNeeds) {
    this.engine = new PlayerEngine(
      {
        onAdvance: () => this.#advanced(),
        onEnd: () => void this.#ended(),
        onFailure: (failure) => void this.#recover(failure),
      },
      needs.newElement,
    );
    this.engine.subscribe(() => this.#noteProgress());
  }

  readonly state = (): PlayerState => this.#state;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** The form in which a song is asked for. */
  readonly formOf = (song: Song): Form =>
    formOf(song, {
      quality: this.#state.quality,
      canPlay: this.needs.canPlay,
      isRefused: this.#refusals.has,
    });

  /** Factor of the volume of a song: that of its album while an album plays in its order. */
  gainOf(song: Song): number {
    const { isEven, queue } = this.#state;
    const { source, seed } = queue.context ?? {};
    return isEven ? gainOf(song, source?.kind === 'album' && seed === undefined) : 1;
  }

  /** Plays a list, from a position in it, or shuffled. */
  async playSource(
    source: SongSource,
    { total, position = 0, shuffle = false }: { total: number; position?: number; shuffle?: boolean },
  ): Promise<void> {
    if (total === 0) return;
    this.#choose();
    const { queue } = this.#state;
    this.#set({ queue: shuffle ? startShuffled(queue, source, total) : startAt(queue, source, { total, position }) });
    const { context } = this.#state.queue;
    if (context) await this.#take(stepTo(context, shuffle ? 0 : position));
  }

  async next(): Promise<void> {
    this.#choose();
    await this.#goOn(true);
  }

  /** The song before; the beginning of this one when it has played for some seconds. */
  async previous(): Promise<void> {
    const step = this.engine.playback().positionS > RESTART_AFTER_S ? undefined : stepBack(this.#state.queue);
    if (!step) return this.engine.seek(0);
    this.#choose();
    await this.#take(step);
  }

  /** Plays one of the chosen songs now. */
  async playEntry(key: number): Promise<void> {
    const entry = this.#state.queue.upNext.find((one) => one.key === key);
    if (!entry) return;
    this.#choose();
    await this.#take({ from: 'up-next', entry });
  }

  /** Goes to an index of the list, in the order of playing. */
  async playIndex(index: number): Promise<void> {
    const { context } = this.#state.queue;
    if (!context) return;
    this.#choose();
    await this.#take(stepTo(context, index));
  }

  async toggle(): Promise<void> {
    const { state } = this.engine.playback();
    if (state === 'playing' || state === 'loading') this.engine.pause();
    else await this.resume();
  }

  async resume(): Promise<void> {
    const { current } = this.#state.queue;
    if (this.engine.playback().state !== 'empty') await this.engine.resume();
    else if (current) {
      this.#choose();
      await this.#take({ from: 'current', song: current });
    }
  }

  enqueue(songs: readonly Song[], where: 'next' | 'last'): void {
    if (this.#state.queue.current === undefined) this.engine.unlock();
    this.#change(enqueue(this.#state.queue, songs, where));
    if (this.#state.queue.current === undefined) void this.#goOn(true);
  }

  dequeue(key: number): void {
    this.#change(dequeue(this.#state.queue, key));
  }

  move(keys: ReadonlySet<number>, target: { readonly key: number; readonly where: 'before' | 'after' }): void {
    this.#change(move(this.#state.queue, keys, target));
  }

  /** Removes the chosen songs; returns how to bring them back. */
  clear(): () => void {
    const { upNext } = this.#state.queue;
    this.#change({ ...this.#state.queue, upNext: [] });
    return () =>
      this.#change(
        enqueue(
          this.#state.queue,
          upNext.map(({ song }) => song),
          'next',
        ),
      );
  }

  toggleShuffle(): void {
    this.#change(toggleShuffle(this.#state.queue));
  }

  toggleRepeat(): void {
    const { queue } = this.#state;
    this.#change({ ...queue, repeat: NEXT_REPEAT[queue.repeat] });
  }

  setVolume(volume: number): void {
    this.engine.setVolume(volume);
    this.#set({ volume });
  }

  /** Takes another quality or loudness; what plays goes on in it. */
  setSound(sound: { readonly quality?: Quality; readonly isEven?: boolean }): void {
    this.#set(sound);
    const { current } = this.#state.queue;
    const { state, positionS } = this.engine.playback();
    if (current && state !== 'empty') void this.#open(current, positionS, state !== 'paused');
  }

  /** Stops later by itself. */
  setSleep(sleep: Sleep): void {
    clearTimeout(this.#sleeping);
    this.#set({ sleep });
    if (typeof sleep === 'number')
      this.#sleeping = setTimeout(() => {
        this.engine.pause();
        this.#set({ sleep: 'off' });
      }, sleep * MS_PER_MINUTE);
    void this.#prepare();
  }

  /** Takes up what an earlier visit has left, paused. */
  async restore(): Promise<void> {
    const kept = readKept(this.needs.storage);
    this.engine.setVolume(kept.volume);
    this.#set(kept);
    const { current } = kept.queue;
    if (current) await this.#open(current, readPosition(this.needs.storage, current.id), false);
  }

  /** Takes up what another device has left, at a position, s. */
  async takeUp(queue: Queue, positionS: number, plays: boolean): Promise<void> {
    if (plays) this.#choose();
    this.#set({ queue });
    if (queue.current) await this.#open(queue.current, positionS, plays);
  }

  /** Keeps where the song is for the next visit. */
  savePosition(): void {
    const { trackId, positionS } = this.engine.playback();
    this.#savedAtMs = Date.now();
    if (trackId !== undefined) writePosition(this.needs.storage, trackId, positionS);
  }

  /** Somebody has chosen something: whatever failed before is past. */
  #choose(): void {
    this.engine.unlock();
    this.#leftOut = 0;
    this.#set({ failed: undefined });
  }

  #change(queue: Queue): void {
    this.#set({ queue });
    void this.#prepare();
  }

  async #goOn(isChosen: boolean): Promise<void> {
    const step = stepForward(this.#state.queue, isChosen);
    if (step) return this.#take(step);
    this.#turn += 1;
    this.engine.stop();
  }

  async #ended(): Promise<void> {
    // Somebody has asked for the next one already; it is on its way.
    if (this.#taking === this.#turn) return;
    if (this.#state.sleep !== 'song') return this.#goOn(false);
    this.#set({ sleep: 'off' });
    const step = stepForward(this.#state.queue, false);
    if (step) await this.#take(step, false);
  }

  async #take(step: Step, plays = true): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#taking = turn;
    // At once, so that who asks for the next song twice gets the one after it.
    this.#set({ queue: taken(this.#state.queue, step) });
    const song = await this.#patiently(turn, () => this.#songOf(step));
    if (turn !== this.#turn) return;
    if (song) this.#set({ queue: { ...this.#state.queue, current: song } });
    if (song) await this.#open(song, 0, plays);
    else await this.#leaveOut(step.from === 'up-next' ? step.entry.song : undefined);
  }

  /** Opens a song at a position, s, with an address that is not too old, and prepares what comes after it. */
  async #open(song: Song, positionS: number, plays: boolean): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const fresh = await this.#patiently(turn, () => this.#fresh(song));
    if (turn !== this.#turn) return;
    if (!fresh) return this.#leaveOut(song);
    if (plays) await this.engine.play(this.#trackOf(fresh), positionS);
    else this.engine.load(this.#trackOf(fresh), positionS);
    await this.#prepare();
  }

  /** Asks until the server answers; undefined when it has none, or when something else is to be played by now. */
  async #patiently(turn: number, ask: () => Promise<Song | undefined>): Promise<Song | undefined> {
    for (let attempt = 0; turn === this.#turn; attempt += 1) {
      try {
        const song = await ask();
        if (turn === this.#turn) this.#set({ isAway: false });
        return song;
      } catch (error) {
        if (turn !== this.#turn) return undefined;
        this.#set({ isAway: true });
        this.needs.onTrouble?.(error);
        await pauseFor(attempt);
      }
    }
    return undefined;
  }

  #advanced(): void {
    const prepared = this.#prepared;
    if (!prepared) return;
    this.#turn += 1;
    this.#set({ queue: taken(this.#state.queue, prepared.step, prepared.song), failed: undefined });
    void this.#prepare();
  }

  /** Goes on where a stream broke off, with a new address; in another form when the browser has refused this one twice. */
  async #recover({ trackId: id, positionS, kind }: PlaybackFailure): Promise<void> {
    const { current } = this.#state.queue;
    if (current?.id !== id) return;
    this.#turn += 1;
    const turn = this.#turn;
    const isSamePlace = this.#failure?.id === id && Math.abs(this.#failure.positionS - positionS) < 1;
    const attempts = isSamePlace && this.#failure ? this.#failure.attempts + 1 : 1;
    this.#failure = { id, positionS, attempts };
    // It is shorter than was said.
    if (kind === 'early' && attempts > 1) return this.#goOn(false);
    if (attempts > MOST_ATTEMPTS) return this.#leaveOut(current);
    if (kind === 'refused' && attempts > 1) this.#refusals.add(current);
    if (attempts > 2) await pauseFor(attempts - 2);
    const song = await this.#patiently(turn, () => this.needs.catalog.song(id));
    if (turn !== this.#turn) return;
    if (!song) return this.#leaveOut(current);
    this.#fetchedAtMs.set(song, Date.now());
    const { positionS: now, state } = this.engine.playback();
    await this.#open(song, now, state !== 'paused');
  }

  /** Says that the song cannot be played, and plays the next one, unless too many were left out by now. */
  async #leaveOut(song: Song | undefined): Promise<void> {
    this.#leftOut += 1;
    if (song) this.#set({ failed: song });
    if (this.#leftOut <= MOST_LEFT_OUT) return this.#goOn(true);
    this.#turn += 1;
    this.engine.stop();
  }

  async #prepare(): Promise<void> {
    this.#preparing += 1;
    const preparing = this.#preparing;
    const step = this.#state.sleep === 'song' ? undefined : stepForward(this.#state.queue, false);
    // What cannot be had now is asked for again when its turn comes.
    const song = step && (await this.#songOf(step).catch(() => undefined));
    if (preparing !== this.#preparing) return;
    this.#prepared = step && song ? { step, song, source: this.#state.queue.context?.source } : undefined;
    const isEmpty = this.engine.playback().state === 'empty';
    this.engine.prepare(song && !isEmpty ? this.#trackOf(song) : undefined);
  }

  #trackOf(song: Song): ReturnType<typeof trackOf> {
    return trackOf(song, this.formOf(song), this.gainOf(song));
  }

  async #songOf(step: Step): Promise<Song | undefined> {
    const { context } = this.#state.queue;
    const prepared = this.#prepared;
    if (prepared && prepared.source === context?.source && isSameStep(prepared.step, step)) return this.#fresh(prepared.song);
    if (step.from === 'up-next') return this.#fresh(step.entry.song);
    if (step.from === 'current') return this.#fresh(step.song);
    const song = context && (await this.needs.catalog.at(context.source, step.position));
    if (song) this.#fetchedAtMs.set(song, Date.now());
    return song;
  }

  async #fresh(song: Song): Promise<Song | undefined> {
    if (Date.now() - (this.#fetchedAtMs.get(song) ?? 0) < ADDRESS_AGE_MS) return song;
    const again = await this.needs.catalog.song(song.id);
    if (again) this.#fetchedAtMs.set(again, Date.now());
    return again;
  }

  #noteProgress(): void {
    const { state, trackId, positionS } = this.engine.playback();
    if (trackId === undefined) return;
    if (state === 'playing' && positionS > 1) this.#leftOut = 0;
    if (Date.now() - this.#savedAtMs > SAVED_EVERY_MS) this.savePosition();
  }

  #set(change: Partial<PlayerState>): void {
    const before = this.#state;
    this.#state = { ...before, ...change };
    const isKept = (['queue', 'volume', 'quality', 'isEven'] as const).some((name) => before[name] !== this.#state[name]);
    if (isKept) {
      const { queue, volume, quality, isEven } = this.#state;
      writeKept(this.needs.storage, { queue, volume, quality, isEven });
    }
    for (const watcher of this.#watchers) watcher();
  }
}
