import type { Song } from '../../lib/api.js';
import type { SongSource } from '../../lib/song-sources.js';
import type { CrossfadeS } from './crossfade.js';
import type { PlayerEngine } from './engine.js';
import type { Form, Quality } from './form.js';
import { readKept, readPosition, writePosition } from './kept.js';
import { PlayerStore, type PlayerState, type Sleep } from './player-store.js';
import {
  dequeue,
  enqueue,
  move,
  startAt,
  startShuffled,
  stepBack,
  stepTo,
  toggleShuffle,
  type Queue,
  type Repeat,
  type Where,
} from './queue.js';
import { Sequencer, type SequencerNeeds } from './sequencer.js';

const RESTART_AFTER_S = 3;
const SAVED_EVERY_MS = 5000;
const MS_PER_MINUTE = 60_000;

/** Dependencies of the player: those of its sequencer, and storage. */
export interface PlayerNeeds extends SequencerNeeds {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

const NEXT_REPEAT: Readonly<Record<Repeat, Repeat>> = { off: 'all', all: 'one', one: 'off' };

/** Plays the queue, and keeps it for the next visit: the commands of the page. */
export class Player {
  readonly engine: PlayerEngine;
  readonly state: () => PlayerState;
  readonly subscribe: (watcher: () => void) => () => void;
  readonly #store: PlayerStore;
  readonly #sequencer: Sequencer;
  #sleeping: ReturnType<typeof setTimeout> | undefined;
  #savedAtMs = 0;
  /** Where the current song begins when it is resumed before it has been opened. */
  #left: { readonly songId: string; readonly positionS: number } | undefined;

  constructor(private readonly needs: PlayerNeeds) {
    this.#store = new PlayerStore(needs.storage);
    this.#sequencer = new Sequencer(this.#store, needs);
    ({ engine: this.engine } = this.#sequencer);
    ({ state: this.state, subscribe: this.subscribe } = this.#store);
    this.engine.subscribe(() => {
      if (this.engine.playback().trackId !== undefined && Date.now() - this.#savedAtMs > SAVED_EVERY_MS) this.savePosition();
    });
  }

  /** The form in which a song is asked for. @param gain factor of its volume that the server has to apply; by default as it is needed now */
  readonly formOf = (song: Song, gain?: number): Form => this.#sequencer.formOf(song, gain);

  /** Factor of the volume of a song. */
  gainOf(song: Song): number {
    return this.#sequencer.gainOf(song);
  }

  /** Plays a list, from a position in it, or shuffled. */
  async playSource(
    source: SongSource,
    { total, position = 0, shuffle = false }: { total: number; position?: number; shuffle?: boolean },
  ): Promise<void> {
    if (total === 0) return;
    this.#sequencer.choose();
    const { queue } = this.state();
    this.#store.set({ queue: shuffle ? startShuffled(queue, source, total) : startAt(queue, source, { total, position }) });
    const { context } = this.state().queue;
    if (context) await this.#sequencer.take(stepTo(context, shuffle ? 0 : position));
  }

  async next(): Promise<void> {
    this.#sequencer.choose();
    await this.#sequencer.goOn(true);
  }

  /** The song before; the beginning of this one when it has played for some seconds. */
  async previous(): Promise<void> {
    const step = this.engine.playback().positionS > RESTART_AFTER_S ? undefined : stepBack(this.state().queue);
    if (!step) return this.engine.seek(0);
    this.#sequencer.choose();
    await this.#sequencer.take(step);
  }

  /** Plays one of the chosen songs now. */
  async playEntry(key: number): Promise<void> {
    const entry = this.state().queue.upNext.find((one) => one.key === key);
    if (!entry) return;
    this.#sequencer.choose();
    await this.#sequencer.take({ from: 'up-next', entry });
  }

  /** Goes to an index of the list, in the order of playing. */
  async playIndex(index: number): Promise<void> {
    const { context } = this.state().queue;
    if (!context) return;
    this.#sequencer.choose();
    await this.#sequencer.take(stepTo(context, index));
  }

  async toggle(): Promise<void> {
    const { state } = this.engine.playback();
    if (state === 'playing' || state === 'loading') this.engine.pause();
    else await this.resume();
  }

  async resume(): Promise<void> {
    const { current } = this.state().queue;
    if (this.engine.playback().state !== 'empty') await this.engine.resume();
    else if (current) {
      const positionS = this.#left?.songId === current.id ? this.#left.positionS : 0;
      this.#left = undefined;
      this.#sequencer.choose();
      await this.#sequencer.open(current, positionS, true);
    }
  }

  enqueue(songs: readonly Song[], where: Where): void {
    if (this.state().queue.current === undefined) this.engine.unlock();
    this.change(enqueue(this.state().queue, songs, where));
    if (this.state().queue.current === undefined) void this.#sequencer.goOn(true);
  }

  dequeue(key: number): void {
    this.change(dequeue(this.state().queue, key));
  }

  move(keys: ReadonlySet<number>, target: { readonly key: number; readonly where: 'before' | 'after' }): void {
    this.change(move(this.state().queue, keys, target));
  }

  /** Removes the chosen songs; returns how to bring them back. */
  clear(): () => void {
    const { upNext } = this.state().queue;
    this.change({ ...this.state().queue, upNext: [] });
    return () => this.change({ ...this.state().queue, upNext: [...upNext, ...this.state().queue.upNext] });
  }

  toggleShuffle(): void {
    this.change(toggleShuffle(this.state().queue));
  }

  toggleRepeat(): void {
    const { queue } = this.state();
    this.change({ ...queue, repeat: NEXT_REPEAT[queue.repeat] });
  }

  setVolume(volume: number): void {
    this.engine.setVolume(volume);
    this.#store.set({ volume });
  }

  /** Takes another quality or loudness; what plays goes on in it. */
  setSound(sound: { readonly quality?: Quality; readonly isEven?: boolean }): void {
    this.#store.set(sound);
    const { current } = this.state().queue;
    const { state, positionS } = this.engine.playback();
    if (current && state !== 'empty') void this.#sequencer.open(current, positionS, state !== 'paused');
  }

  /** Fades from one song into the next, within so many seconds; 0 for not at all. */
  setCrossfade(crossfadeS: CrossfadeS): void {
    this.#store.set({ crossfadeS });
    void this.#sequencer.prepare();
  }

  /** Goes on with similar songs when the queue ends, or no longer. */
  setEndless(isEndless: boolean): void {
    this.#store.set({ isEndless });
    void this.#sequencer.prepare();
  }

  /** Stops later by itself. */
  setSleep(sleep: Sleep): void {
    clearTimeout(this.#sleeping);
    this.#store.set({ sleep });
    void this.#sequencer.prepare();
    if (typeof sleep !== 'number') return;
    this.#sleeping = setTimeout(() => {
      this.engine.pause();
      this.#store.set({ sleep: 'off' });
    }, sleep * MS_PER_MINUTE);
  }

  /** Takes up what an earlier visit has left, paused. */
  async restore(): Promise<void> {
    const kept = readKept(this.needs.storage);
    this.engine.setVolume(kept.volume);
    this.#store.set(kept);
    const { current } = kept.queue;
    if (current) await this.takeUp(kept.queue, readPosition(this.needs.storage, current.id), 'load');
  }

  /** Takes up what another device plays or has left, at a position, s. What is opened later costs the server nothing before somebody resumes it. */
  async takeUp(queue: Queue, positionS: number, opening: 'play' | 'load' | 'later'): Promise<void> {
    if (opening === 'play') this.#sequencer.choose();
    const left = queue.current && { songId: queue.current.id, positionS };
    this.#left = left;
    this.#store.set({ queue });
    if (opening === 'later') return this.engine.stop();
    if (queue.current) await this.#sequencer.open(queue.current, positionS, opening === 'play');
    // Somebody who presses Play before that hears it from there, too.
    if (this.#left === left) this.#left = undefined;
  }

  /** Keeps where the song is for the next visit. */
  savePosition(): void {
    const { trackId, positionS } = this.engine.playback();
    this.#savedAtMs = Date.now();
    if (trackId !== undefined) writePosition(this.needs.storage, trackId, positionS);
  }

  /** Changes what follows the current song. */
  change(queue: Queue): void {
    this.#store.set({ queue: { ...queue, current: this.state().queue.current } });
    void this.#sequencer.prepare();
  }
}
