import type { RecordedEvent } from '@continuo/contracts';

/** A state in memory, as of a position of the log. */
export interface WarmState {
  readonly state: unknown;
  /** Position of the last event in it; 0 when there was none. */
  readonly position: number;
  /** The latest events, to recognise a command that comes again. */
  readonly tail: readonly TailEvent[];
  /** Events that are in it and not in the snapshot. */
  readonly sinceSnapshot: number;
}

/** What a command is recognised by, and what it led to. */
export type TailEvent = Pick<RecordedEvent, 'id' | 'type' | 'v' | 'data' | 'stream' | 'position'>;

/** The states of one kind of aggregate that were used last. */
export class WarmStates {
  readonly #states = new Map<string, WarmState>();

  get(id: string): WarmState | undefined {
    return this.#states.get(id);
  }

  /** Keeps a state; the one that was not used the longest goes when there are more than `most`. */
  set(id: string, state: WarmState, most: number): void {
    this.#states.delete(id);
    this.#states.set(id, state);
    if (this.#states.size <= most) return;
    const [oldest] = this.#states.keys();
    if (oldest !== undefined) this.#states.delete(oldest);
  }

  delete(id: string): void {
    this.#states.delete(id);
  }
}
