/** Answers that are kept for a command that comes again. */
const MAX_KEPT = 1000;

/**
 * Work that takes longer than a sender's patience is asked for again under the same id: the second try joins the first instead of doing everything twice.
 * Known to this process alone; elsewhere it is only done again.
 */
export class InFlight {
  readonly #running = new Map<string, Promise<unknown>>();

  /** Runs the work of a command, or joins it when it runs or has ended well. A failed one is tried again. */
  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const known = this.#running.get(id) as Promise<T> | undefined;
    if (known) return known;
    const running = work();
    this.#running.set(id, running);
    running.catch(() => this.#running.delete(id));
    const oldest = this.#running.size > MAX_KEPT ? this.#running.keys().next().value : undefined;
    if (oldest !== undefined) this.#running.delete(oldest);
    return running;
  }
}
