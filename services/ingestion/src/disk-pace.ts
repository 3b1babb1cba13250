/** So many slow answers in a row mean a slow disk, and not a thread that had to wait for a core. */
const SLOW_IN_A_ROW = 4;
/** Steps without looking before the speed of a slow disk is tried again. */
const STEPS_BETWEEN_TRIES = 200;

/**
 * Remembers whether a disk answers at once. Waiting for it in the calling thread costs a fraction of the processor time that a way through the pool of file threads
 * costs; while a slow disk looks for one thing, though, others should be on their way too.
 */
export class DiskPace {
  readonly #slowMs: number;
  #slowInARow = 0;
  #stepsBeforeTry = 0;

  /** @param slowMs time beyond which a step counts as slow */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  /** True while the disk is known to be slow. */
  get isSlow(): boolean {
    return this.#stepsBeforeTry > 0;
  }

  /** True when the next step is to wait in this thread. */
  isFast(): boolean {
    if (!this.isSlow) return true;
    this.#stepsBeforeTry -= 1;
    return false;
  }

  /** Runs a step in this thread and notes its time. */
  timed<T>(step: () => T): T {
    const from = performance.now();
    try {
      return step();
    } finally {
      this.took(performance.now() - from);
    }
  }

  /** Notes the time that a step took, ms. */
  took(ms: number): void {
    this.#slowInARow = ms > this.#slowMs ? this.#slowInARow + 1 : 0;
    if (this.#slowInARow < SLOW_IN_A_ROW) return;
    this.#stepsBeforeTry = STEPS_BETWEEN_TRIES;
    this.#slowInARow = 0;
  }
}
