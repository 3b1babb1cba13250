import type { PlayerAction, PlayerEntry, PlayerItem, PlayerStatus } from '@continuo/contracts';
import { mediaOf } from './media-address.js';
import type { Controlled, Player, PlayerReading, QueuePage } from './player.js';

/** A player that makes no sound and never comes to the end of anything; for specs. */
export class InMemoryPlayer implements Player {
  #entries: PlayerEntry[] = [];
  /** What goes on although the queue has been replaced without it. */
  #leaving: PlayerEntry | undefined;
  #index = 0;
  #state: PlayerStatus['state'] = 'stop';
  #volume = 50;
  #positionMs = 0;
  #since = 0;

  constructor(private readonly now: () => number = Date.now) {}

  async control(action: PlayerAction): Promise<Controlled> {
    return { isAccepted: this.#perform(action), status: this.#status() };
  }

  async read({ offset, limit }: QueuePage): Promise<PlayerReading> {
    return { status: this.#status(), entries: this.#entries.slice(offset, offset + limit) };
  }

  #status(): PlayerStatus {
    const length = this.#entries.length;
    return {
      state: this.#state,
      volumePercent: this.#volume,
      isRepeating: false,
      isRandom: false,
      length,
      index: length === 0 ? null : Math.min(this.#index, length - 1),
      positionMs: this.#elapsedMs(),
      current: this.#leaving ?? this.#entries[this.#index] ?? null,
    };
  }

  #elapsedMs(): number {
    return this.#state === 'play' ? this.#positionMs + this.now() - this.#since : this.#positionMs;
  }

  #perform(action: PlayerAction): boolean {
    switch (action.type) {
      case 'play':
        return this.#state === 'stop' ? this.#playAt(this.#index, 0) || this.#entries.length === 0 : this.#go('play');
      case 'pause':
        return this.#state === 'stop' || this.#go('pause');
      case 'stop':
        this.#positionMs = 0;
        this.#leaving = undefined;
        this.#state = 'stop';
        return true;
      case 'next':
        return this.#state !== 'stop' && (this.#playAt(this.#leaving ? 0 : this.#index + 1, 0) || this.#perform({ type: 'stop' }));
      case 'previous':
        return this.#state !== 'stop' && this.#playAt(Math.max(0, this.#index - 1), 0);
      case 'skip':
        return this.#playAt(action.index, action.offsetMs);
      case 'volume':
        this.#volume = action.percent;
        return true;
      case 'volume-by':
        this.#volume = Math.min(100, Math.max(0, this.#volume + action.percent));
        return true;
      default:
        return this.#arrange(action);
    }
  }

  #arrange(action: Extract<PlayerAction, { type: 'add' | 'replace' | 'substitute' | 'remove' | 'clear' | 'shuffle' }>): boolean {
    switch (action.type) {
      case 'add':
        if (action.isInstead) this.#arrange({ type: 'clear' });
        this.#entries.push(...action.items);
        return true;
      case 'replace':
        return this.#replace(action.items);
      case 'substitute':
        if (action.index >= this.#entries.length) return false;
        this.#entries[action.index] = action.item;
        return true;
      case 'remove':
        return this.#remove(action.index);
      case 'clear':
        this.#entries = [];
        this.#index = 0;
        return this.#perform({ type: 'stop' });
      case 'shuffle':
        this.#entries.reverse();
        this.#index = Math.max(0, this.#entries.length - 1 - this.#index);
        return true;
    }
  }

  #replace(items: readonly PlayerItem[]): boolean {
    const playing = this.#state === 'stop' ? undefined : (this.#leaving ?? this.#entries[this.#index]);
    const place = playing ? items.findIndex(({ url }) => mediaOf(url) === mediaOf(playing.url)) : -1;
    this.#entries = [...items];
    this.#index = Math.max(0, place);
    this.#leaving = place < 0 ? playing : undefined;
    return true;
  }

  #remove(index: number): boolean {
    if (index >= this.#entries.length) return false;
    const isCurrent = index === this.#index && this.#leaving === undefined;
    this.#entries.splice(index, 1);
    if (index < this.#index) this.#index -= 1;
    if (isCurrent && this.#state !== 'stop') return this.#playAt(this.#index, 0) || this.#perform({ type: 'stop' });
    return true;
  }

  #playAt(index: number, positionMs: number): boolean {
    if (index >= this.#entries.length) return false;
    this.#index = index;
    this.#leaving = undefined;
    this.#positionMs = positionMs;
    this.#since = this.now();
    this.#state = 'play';
    return true;
  }

  #go(state: 'play' | 'pause'): boolean {
    this.#positionMs = this.#elapsedMs();
    this.#since = this.now();
    this.#state = state;
    return true;
  }
}
