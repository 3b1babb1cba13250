import type { RecordedEvent } from '@continuo/contracts';

/** A state in memory, as of a position of the log. */
export interface WarmState {
  readonly state: unknown;
  /** Position of the last event in it; 0 when there was none. */
  readonly position: number;
  /** Number of events in the state, which is the number of the last one. */
  readonly number: number;
  /** The latest events, to recognise a command that comes again. */
  readonly tail: readonly TailEvent[];
  /** Events that are in it and not in the snapshot. */
  readonly sinceSnapshot: number;
}

/** Identifies a command and holds its event. */
export type TailEvent = Pick<RecordedEvent, 'id' | 'type' | 'v' | 'data' | 'stream' | 'position'>;

/** Limits of the states kept of one kind. */
export interface WarmBounds {
  /** Largest number of states. */
  readonly most: number;
  /** Approximate limit of their memory, bytes. */
  readonly mostBytes?: number;
}

/** The states of one kind of aggregate that were used last. */
export class WarmStates {
  readonly #states = new Map<string, { readonly state: WarmState; readonly bytes: number }>();
  #bytes = 0;

  get(id: string): WarmState | undefined {
    return this.#states.get(id)?.state;
  }

  /** Keeps a state of about so many bytes; those that were not used the longest go when there are more, or more bytes, than there may be. */
  set(id: string, state: WarmState, bytes: number, { most, mostBytes = Number.POSITIVE_INFINITY }: WarmBounds): void {
    this.delete(id);
    this.#states.set(id, { state, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= most && this.#bytes <= mostBytes) return;
      this.delete(oldest);
    }
  }

  delete(id: string): void {
    this.#bytes -= this.#states.get(id)?.bytes ?? 0;
    this.#states.delete(id);
  }
}
