/** Lets so many batches be open at a time; the others wait for their turn, in the order in which they came. */
export class BatchGate {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs the work once a slot is free, and frees the slot afterwards. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#open < this.#most) this.#open += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#open -= 1;
    }
  }
}
