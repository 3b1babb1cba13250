import { Turns } from '@continuo/chassis';

/** Answers that are kept for a command that comes again. */
const MAX_KEPT = 1000;

/**
 * Work that takes longer than a sender's patience is asked for again under the same id: the second try joins the first instead of doing everything twice
 * (known to this process alone; elsewhere it is only done again). No more than a number of works run at once; further ones wait for their turn.
 */
export class InFlight {
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #turns: Turns;

  constructor(limit: number) {
    this.#turns = new Turns(limit);
  }

  /** Runs the work of a command, or joins it when it waits, runs or has ended well. A failed one is tried again. */
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(id) as Promise<T> | undefined;
    if (known) return known;
    const running = this.#turns.run(work);
    this.#kept.set(id, running);
    running.catch(() => this.#kept.delete(id));
    const oldest = this.#kept.size > MAX_KEPT ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    return running;
  }
}
