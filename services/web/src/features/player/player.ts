import { api, content, type Song } from '../../lib/api.js';
import { songsOf, type SongSource } from '../songs/sources.js';
import { PlayerEngine, type Playback, type Track } from './engine.js';
import {
  dequeue,
  EMPTY_QUEUE,
  enqueue,
  startAt,
  startContext,
  stepBack,
  stepForward,
  taken,
  toggleShuffle,
  type Queue,
  type Repeat,
  type Step,
} from './queue.js';

/** Addresses carry a token that ends after two to three hours; a song that was fetched earlier than this is fetched again, ms. */
const ADDRESS_AGE_MS = 3_600_000;
const RESTART_AFTER_S = 3;
const KEPT = 'continuo-queue';
const SAVED_EVERY_MS = 5000;

interface Kept {
  readonly queue: Queue;
  readonly positionS: number;
  readonly volume: number;
}

/** What the views show of the player besides the playback. */
export interface PlayerState {
  readonly queue: Queue;
  readonly volume: number;
  /** Song that could not be played, until another plays. */
  readonly failed: Song | undefined;
}

const NEXT_REPEAT: Readonly<Record<Repeat, Repeat>> = { off: 'all', all: 'one', one: 'off' };

const gainOf = ({ replaygain_track_gain: gainDb }: Song): number => Math.min(0, gainDb ?? 0);
const trackOf = (song: Song): Track => ({ id: song.id, url: song.url, gainDb: gainOf(song) });

/** Plays the queue: asks for songs of its list, prepares the next one, keeps both for the next visit. */
export class Player {
  readonly engine: PlayerEngine;
  readonly #watchers = new Set<() => void>();
  readonly #fetchedAtMs = new WeakMap<Song, number>();
  #state: PlayerState = { queue: EMPTY_QUEUE, volume: 1, failed: undefined };
  /** What the engine has prepared. */
  #prepared: { readonly step: Step; readonly song: Song } | undefined;
  #savedAtMs = 0;

  constructor(newElement?: () => HTMLAudioElement) {
    this.engine = new PlayerEngine(
      {
        onAdvance: () => this.#advanced(),
        onEnd: () => void this.next(false),
        onFailure: () => void this.#failed(),
      },
      newElement,
    );
    this.engine.subscribe(() => this.#noteProgress());
  }

  readonly state = (): PlayerState => this.#state;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Plays a list, from a position in it, or shuffled. */
  async playSource(
    source: SongSource,
    { total, position = 0, shuffle = false }: { total: number; position?: number; shuffle?: boolean },
  ): Promise<void> {
    if (total === 0) return;
    const queue = shuffle ? startContext(this.#state.queue, source, total, true) : startAt(this.#state.queue, source, { total, position });
    this.#set({ queue });
    const step = shuffle ? stepForward({ ...queue, upNext: [] }, true) : ({ from: 'context', index: position, position } as const);
    if (step) await this.#take(step);
  }

  async next(isChosen = true): Promise<void> {
    const step = stepForward(this.#state.queue, isChosen);
    if (step) await this.#take(step);
    else this.engine.stop();
  }

  /** The song before; the beginning of this one when it has played for some seconds. */
  async previous(): Promise<void> {
    const step = this.engine.playback().positionS > RESTART_AFTER_S ? undefined : stepBack(this.#state.queue);
    if (step) await this.#take(step);
    else this.engine.seek(0);
  }

  async toggle(): Promise<void> {
    const { state } = this.engine.playback();
    if (state === 'playing' || state === 'loading') this.engine.pause();
    else if (state === 'paused') await this.engine.resume();
    else if (this.#state.queue.current) await this.#play(this.#state.queue.current, 0);
  }

  enqueue(songs: readonly Song[], where: 'next' | 'last'): void {
    this.#set({ queue: enqueue(this.#state.queue, songs, where) });
    if (this.#state.queue.current === undefined) void this.next();
    else void this.#prepare();
  }

  dequeue(at: number): void {
    this.#set({ queue: dequeue(this.#state.queue, at) });
    void this.#prepare();
  }

  clear(): void {
    this.#set({ queue: { ...this.#state.queue, upNext: [] } });
    void this.#prepare();
  }

  toggleShuffle(): void {
    this.#set({ queue: toggleShuffle(this.#state.queue) });
    void this.#prepare();
  }

  toggleRepeat(): void {
    const { queue } = this.#state;
    this.#set({ queue: { ...queue, repeat: NEXT_REPEAT[queue.repeat] } });
    void this.#prepare();
  }

  setVolume(volume: number): void {
    this.engine.setVolume(volume);
    this.#set({ volume });
  }

  /** Takes up what an earlier visit has left, paused. */
  async restore(): Promise<void> {
    const kept = localStorage.getItem(KEPT);
    if (kept === null) return;
    const { queue, positionS, volume } = JSON.parse(kept) as Kept;
    this.setVolume(volume);
    this.#set({ queue });
    if (!queue.current) return;
    const song = await this.#fresh(queue.current);
    this.engine.load(trackOf(song), positionS);
  }

  async #take(step: Step): Promise<void> {
    const song = await this.#songOf(step);
    if (!song) return;
    this.#set({ queue: taken(this.#state.queue, step, song), failed: undefined });
    await this.#play(song, 0);
  }

  async #play(song: Song, fromS: number): Promise<void> {
    await this.engine.play(trackOf(await this.#fresh(song)), fromS);
    await this.#prepare();
  }

  #advanced(): void {
    const prepared = this.#prepared;
    if (!prepared) return;
    this.#set({ queue: taken(this.#state.queue, prepared.step, prepared.song), failed: undefined });
    void this.#prepare();
  }

  async #failed(): Promise<void> {
    this.#set({ failed: this.#state.queue.current });
    await this.next(true);
  }

  async #prepare(): Promise<void> {
    const step = stepForward(this.#state.queue, false);
    const song = step && (await this.#songOf(step).catch(() => undefined));
    this.#prepared = step && song ? { step, song } : undefined;
    this.engine.prepare(song && trackOf(song));
  }

  async #songOf(step: Step): Promise<Song | undefined> {
    if (step.from !== 'context') return this.#fresh(step.song);
    const { context } = this.#state.queue;
    if (!context) return undefined;
    const { items } = await songsOf(context.source, step.position, 1);
    for (const song of items) this.#fetchedAtMs.set(song, Date.now());
    return items[0];
  }

  async #fresh(song: Song): Promise<Song> {
    if (Date.now() - (this.#fetchedAtMs.get(song) ?? 0) < ADDRESS_AGE_MS) return song;
    const again = await content(api.GET('/songs/{song_id}', { params: { path: { song_id: song.id } } }));
    this.#fetchedAtMs.set(again, Date.now());
    return again;
  }

  #noteProgress(): void {
    if (Date.now() - this.#savedAtMs > SAVED_EVERY_MS) this.#save();
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    this.#save();
    for (const watcher of this.#watchers) watcher();
  }

  #save(): void {
    this.#savedAtMs = Date.now();
    const { queue, volume } = this.#state;
    const { positionS }: Playback = this.engine.playback();
    localStorage.setItem(KEPT, JSON.stringify({ queue, positionS, volume } satisfies Kept));
  }
}

/** The player of this page. */
export const player = new Player();
