import type { Song } from '../../lib/api.js';
import { watched } from '../../lib/watched.js';
import { NOTHING_KEPT, writeKept, type Kept } from './kept.js';

/** Time at which the player stops by itself: never, after the song, or after so many minutes. */
export type Sleep = 'off' | 'song' | number;

/** State of the player that views show, besides the playback. */
export interface PlayerState extends Kept {
  /** Song that could not be played, until somebody chooses another one. */
  readonly failed: Song | undefined;
  /** True while the server does not answer. */
  readonly isAway: boolean;
  readonly sleep: Sleep;
}

const KEPT = ['queue', 'volume', 'quality', 'isEven', 'crossfadeS', 'isEndless'] as const;

/** Holds the state of the player, tells its changes, and keeps what the next visit needs. */
export class PlayerStore {
  readonly #state = watched<PlayerState>({ ...NOTHING_KEPT, failed: undefined, isAway: false, sleep: 'off' });
  readonly state = this.#state.current;
  readonly subscribe = this.#state.subscribe;

  constructor(private readonly storage: Pick<Storage, 'setItem'>) {}

  set(change: Partial<PlayerState>): void {
    const before = this.state();
    const after = { ...before, ...change };
    if (KEPT.some((name) => before[name] !== after[name])) writeKept(this.storage, after);
    this.#state.set(after);
  }
}
