/** Answers that are kept for a command that comes again. */
const MAX_KEPT = 1000;

/**
 * Work that takes longer than a sender's patience is asked for again under the same id: the second try joins the first instead of doing everything twice
 * (known to this process alone; elsewhere it is only done again). No more than a number of works run at once; further ones wait for their turn.
 */
export class InFlight {
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  constructor(private readonly limit: number) {}

  /** Runs the work of a command, or joins it when it waits, runs or has ended well. A failed one is tried again. */
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(id) as Promise<T> | undefined;
    if (known) return known;
    const running = this.#inTurn(work);
    this.#kept.set(id, running);
    running.catch(() => this.#kept.delete(id));
    const oldest = this.#kept.size > MAX_KEPT ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    return running;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#active >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active += 1;
    try {
      return await work();
    } finally {
      // The place goes on to the next in line, or is free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#active -= 1;
    }
  }
}
