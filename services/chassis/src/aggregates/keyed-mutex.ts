/**
 * Lets pieces of work under the same key take turns, in the order in which they came; other keys go on beside them. Kept in this process alone: a replica spares
 * itself the conflicts that it would cause itself.
 */
export class KeyedMutex {
  readonly #last = new Map<string | number, Promise<unknown>>();

  /** Does the work when all that came before it under the key is done, whatever became of that. */
  async run<R>(key: string | number, work: () => Promise<R>): Promise<R> {
    const before = this.#last.get(key);
    const mine = before ? before.then(work, work) : work();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
