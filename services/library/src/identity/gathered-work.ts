import { setTimeout as delay } from 'node:timers/promises';

/** Rest between two batches while more is asked for than one: the statements of a scan then name many things each. */
const REST_MS = 15;

interface Request<T> {
  readonly items: readonly T[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs work on items in batches, one batch after the other: what is asked for while a batch runs goes together with the next. So many who ask at once cost one
 * statement, and one who asks alone does not wait. A batch that fails is done again caller by caller, so that nobody fails for another.
 */
export class GatheredWork<T> {
  readonly #work: (items: readonly T[]) => Promise<void>;
  #waiting: Request<T>[] = [];
  #isRunning = false;

  constructor(work: (items: readonly T[]) => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when the work has been done on these items. */
  add(items: readonly T[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const requests = this.#waiting;
      this.#waiting = [];
      await this.#together(requests).catch(() => this.#oneByOne(requests));
      if (this.#waiting.length > 0) await delay(REST_MS);
    }
    this.#isRunning = false;
  }

  async #together(requests: readonly Request<T>[]): Promise<void> {
    await this.#work(requests.flatMap(({ items }) => items));
    for (const { resolve } of requests) resolve();
  }

  async #oneByOne(requests: readonly Request<T>[]): Promise<void> {
    for (const { items, resolve, reject } of requests) await this.#work(items).then(resolve, reject);
  }
}
