import type { Song } from '../../lib/api.js';
import { NOTHING_KEPT, writeKept, type Kept } from './kept.js';
import type { Sleep } from './sleep-timer.js';

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
  readonly #watchers = new Set<() => void>();
  #state: PlayerState = { ...NOTHING_KEPT, failed: undefined, isAway: false, sleep: 'off' };

  constructor(private readonly storage: Pick<Storage, 'setItem'>) {}

  readonly state = (): PlayerState => this.#state;

  /** Calls back after each change; returns how to end that. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  set(change: Partial<PlayerState>): void {
    const before = this.#state;
    this.#state = { ...before, ...change };
    const { queue, volume, quality, isEven, crossfadeS, isEndless } = this.#state;
    if (KEPT.some((name) => before[name] !== this.#state[name]))
      writeKept(this.storage, { queue, volume, quality, isEven, crossfadeS, isEndless });
    for (const watcher of this.#watchers) watcher();
  }
}
