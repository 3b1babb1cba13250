import type { Song } from '../../lib/api.js';
import type { SongSource } from '../../lib/song-sources.js';
import type { SongCatalog } from './catalog.js';
import { fadeBetween } from './crossfade.js';
import { PlayerEngine, type PlaybackFailure } from './engine.js';
import { formOf, gainOf, trackOf, type Form } from './form.js';
import type { PlayerStore } from './player-store.js';
import { enqueue, stepForward, taken, type Step } from './queue.js';
import { BreakCounter, pauseFor, Refusals } from './trouble.js';
import { SongSupply } from './song-supply.js';

/** Attempts at one place of a song before it is left out. */
const MOST_ATTEMPTS = 4;
/** Songs that are left out one after another before the player stops. */
const MOST_LEFT_OUT = 5;
/** Songs that are not added again to an endless queue. */
const MOST_HEARD = 50;
/** A song that brings nothing for so long makes the player ask whether the server is there, ms. */
const ASK_AFTER_MS = 4000;

/** Dependencies of the sequencer: catalog, abilities of the browser. */
export interface SequencerNeeds {
  readonly catalog: SongCatalog;
  /** True when the browser may be able to play a type. */
  readonly canPlay: (mime: string) => boolean;
  /** False where the volume of an element cannot be set, so that the server has to make songs equally loud. */
  readonly canSetVolume?: boolean;
  /** Told why something that is to be heard now cannot be asked for; the player tries again by itself. */
  readonly onTrouble?: (error: unknown) => void;
  readonly newElement?: () => HTMLAudioElement;
}

const isSameStep = (one: Step, other: Step): boolean => {
  if (one.from === 'context') return other.from === 'context' && one.position === other.position;
  if (one.from === 'up-next') return other.from === 'up-next' && one.entry.key === other.entry.key;
  return other.from === 'current' && one.song.id === other.song.id;
};

/** Leads the engine from song to song of the queue: asks for them, prepares the next one, and goes on where a stream broke off. */
export class Sequencer {
  readonly engine: PlayerEngine;
  readonly #supply: SongSupply;
  readonly #refusals = new Refusals();
  /** Songs that could not be had with their gain: they are heard without it. */
  readonly #gainRefusals = new Refusals();
  readonly #breaks = new BreakCounter();
  /** The song that the engine has loaded ahead, and the step that leads to it. */
  #prepared: { readonly step: Step; readonly song: Song; readonly source: SongSource | undefined } | undefined;
  /** Grows with everything that is to be played, so that answers which come late are dropped. */
  #turn = 0;
  /** The turn in which a song is asked for. */
  #taking = -1;
  #preparing = 0;
  #leftOut = 0;
  /** Ids of the songs that were played lately, in their order. */
  readonly #heard = new Set<string>();
  #lengthening: Promise<void> | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: PlayerStore,
    private readonly needs: SequencerNeeds,
  ) {
    this.#supply = new SongSupply(needs.catalog);
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

  /** The form in which a song is asked for. @param gain factor of its volume that the server has to apply */
  readonly formOf = (song: Song, gain = this.#serverGainOf(song)): Form => {
    const { quality } = this.store.state();
    return formOf(song, { quality, canPlay: this.needs.canPlay, isRefused: this.#refusals.has, gain });
  };

  #serverGainOf(song: Song): number {
    return this.needs.canSetVolume === false && !this.#gainRefusals.has(song) ? this.gainOf(song) : 1;
  }

  /** Factor of the volume of a song: that of its album while an album plays in its order. */
  gainOf(song: Song): number {
    const { isEven, queue } = this.store.state();
    const { source, seed } = queue.context ?? {};
    const mostWithoutPeak = this.needs.canSetVolume === false ? 1 : Number.POSITIVE_INFINITY;
    return isEven ? gainOf(song, source?.kind === 'album' && seed === undefined, mostWithoutPeak) : 1;
  }

  /** Somebody has chosen something: whatever failed before is past. */
  choose(): void {
    this.engine.unlock();
    if (this.store.state().crossfadeS > 0) this.engine.enableFades();
    this.#leftOut = 0;
    this.store.set({ failed: undefined });
  }

  /** Plays the next song; stops at the end of the queue. @param isChosen true when somebody asks for it, so that a song on repeat is left */
  async goOn(isChosen: boolean): Promise<void> {
    const step = stepForward(this.store.state().queue, isChosen);
    if (step) return this.take(step);
    const turn = this.#turn;
    const added = await this.#addedStep();
    if (turn !== this.#turn) return;
    if (added) return this.take(added);
    this.#turn += 1;
    this.engine.stop();
  }

  async #ended(): Promise<void> {
    // Somebody has asked for the next one already; it is on its way.
    if (this.#taking === this.#turn) return;
    if (this.store.state().sleep !== 'song') return this.goOn(false);
    this.store.set({ sleep: 'off' });
    const step = stepForward(this.store.state().queue, false);
    if (step) await this.take(step, false);
  }

  /** Plays the song that a step leads to, or only loads it. */
  async take(step: Step, plays = true): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#taking = turn;
    // At once, so that who asks for the next song twice gets the one after it.
    this.store.set({ queue: taken(this.store.state().queue, step) });
    const song = await this.#patiently(turn, () => this.#songOf(step));
    if (turn !== this.#turn) return;
    if (song) this.store.set({ queue: { ...this.store.state().queue, current: song } });
    if (song) await this.open(song, 0, plays);
    else await this.#leaveOut(step.from === 'up-next' ? step.entry.song : undefined);
  }

  /** Opens a song at a position, s, with an address that is not too old, and prepares what comes after it. */
  async open(song: Song, positionS: number, plays: boolean): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const fresh = await this.#patiently(turn, () => this.#supply.fresh(song));
    if (turn !== this.#turn) return;
    if (!fresh) return this.#leaveOut(song);
    if (plays) await this.engine.play(this.#trackOf(fresh), positionS);
    else this.engine.load(this.#trackOf(fresh), positionS);
    await this.prepare();
  }

  /** Asks until the server answers; undefined when it has none, or when something else is to be played by now. */
  async #patiently(turn: number, ask: () => Promise<Song | undefined>): Promise<Song | undefined> {
    for (let attempt = 0; turn === this.#turn; attempt += 1) {
      try {
        const song = await ask();
        if (turn === this.#turn) this.store.set({ isAway: false });
        return song;
      } catch (error) {
        if (turn !== this.#turn) return undefined;
        this.store.set({ isAway: true });
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
    this.store.set({ queue: taken(this.store.state().queue, prepared.step, prepared.song), failed: undefined });
    void this.prepare();
  }

  /** Goes on where a stream broke off, with a new address; in another form when the browser has refused this one twice. */
  async #recover({ trackId: id, positionS, kind }: PlaybackFailure): Promise<void> {
    const { current } = this.store.state().queue;
    if (current?.id !== id) return;
    this.#turn += 1;
    const turn = this.#turn;
    const attempts = this.#breaks.note(id, positionS);
    // It is shorter than was said.
    if (kind === 'early' && attempts > 1) return this.goOn(false);
    if (attempts > MOST_ATTEMPTS) return this.#leaveOut(current);
    if (kind === 'refused' && attempts > 1) (this.formOf(current).gainDb === undefined ? this.#refusals : this.#gainRefusals).add(current);
    if (attempts > 2) await pauseFor(attempts - 2);
    const song = await this.#patiently(turn, () => this.#supply.again(id));
    if (turn !== this.#turn) return;
    if (!song) return this.#leaveOut(current);
    const { positionS: now, state } = this.engine.playback();
    await this.open(song, now, state !== 'paused');
  }

  /** Says that the song cannot be played, and plays the next one, unless too many were left out by now. */
  async #leaveOut(song: Song | undefined): Promise<void> {
    this.#leftOut += 1;
    if (song) this.store.set({ failed: song });
    if (this.#leftOut <= MOST_LEFT_OUT) return this.goOn(true);
    this.#turn += 1;
    this.engine.stop();
  }

  /** Loads the next song ahead, as the queue and the timer say now. */
  async prepare(): Promise<void> {
    this.#preparing += 1;
    const preparing = this.#preparing;
    const step =
      this.store.state().sleep === 'song' ? undefined : (stepForward(this.store.state().queue, false) ?? (await this.#addedStep()));
    // What cannot be had now is asked for again when its turn comes.
    const song = step && (await this.#songOf(step).catch(() => undefined));
    if (preparing !== this.#preparing) return;
    this.#prepared = step && song ? { step, song, source: this.store.state().queue.context?.source } : undefined;
    const isEmpty = this.engine.playback().state === 'empty';
    const { queue, crossfadeS } = this.store.state();
    this.engine.prepare(song && !isEmpty ? this.#trackOf(song) : undefined, song ? fadeBetween(queue.current, song, crossfadeS) : 0);
  }

  /** The step to the first song that is added to an endless queue, which has come to its end. */
  async #addedStep(): Promise<Step | undefined> {
    if (!this.store.state().isEndless) return undefined;
    await (this.#lengthening ??= this.#lengthen());
    return stepForward(this.store.state().queue, false);
  }

  async #lengthen(): Promise<void> {
    const { current } = this.store.state().queue;
    try {
      const songs = current ? await this.needs.catalog.like(current, this.#heard) : [];
      const { queue } = this.store.state();
      if (queue.current?.id === current?.id) this.store.set({ queue: enqueue(queue, songs, 'last') });
    } catch (error) {
      // It is asked for again when the song has ended.
      this.needs.onTrouble?.(error);
    } finally {
      this.#lengthening = undefined;
    }
  }

  #trackOf(song: Song): ReturnType<typeof trackOf> {
    return trackOf(song, this.formOf(song), this.gainOf(song));
  }

  async #songOf(step: Step): Promise<Song | undefined> {
    const { context } = this.store.state().queue;
    const prepared = this.#prepared;
    const isPrepared = prepared && prepared.source === context?.source && isSameStep(prepared.step, step);
    return isPrepared ? this.#supply.fresh(prepared.song) : this.#supply.of(step, context);
  }

  #noteProgress(): void {
    const { state, positionS, trackId } = this.engine.playback();
    if (state === 'playing' && positionS > 1) this.#leftOut = 0;
    if (state === 'playing' && trackId !== undefined) this.#noteHeard(trackId);
    if (state === 'loading') this.#asking ??= setTimeout(() => void this.#askForServer(), ASK_AFTER_MS);
    else {
      clearTimeout(this.#asking);
      this.#asking = undefined;
    }
  }

  #noteHeard(id: string): void {
    this.#heard.add(id);
    const [first] = this.#heard;
    if (first !== undefined && this.#heard.size > MOST_HEARD) this.#heard.delete(first);
  }

  /** Breaks a song off whose server is away: browsers themselves try for half a minute without a word. */
  async #askForServer(): Promise<void> {
    const turn = this.#turn;
    const { trackId } = this.engine.playback();
    try {
      if (trackId !== undefined) await this.#supply.again(trackId);
    } catch {
      if (turn === this.#turn && this.engine.playback().state === 'loading') this.engine.breakOff();
    }
  }
}
