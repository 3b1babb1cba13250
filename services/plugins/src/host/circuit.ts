/** When a circuit opens and how long it stays so. */
export interface CircuitTerms {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** Time that it stays open at first, ms; each time that the next try fails too, twice as long. */
  readonly openMs: number;
  readonly longestMs: number;
}

/** A fault per hour must not bring a service down for a day, nor one that is away be asked by each request. */
export const circuitTerms: CircuitTerms = { failures: 4, openMs: 30_000, longestMs: 3_600_000 };

/** Whether something that fails may be tried: closed, open until a time, and then one try at a time until one succeeds. */
export class Circuit {
  readonly #terms: CircuitTerms;
  readonly #now: () => number;
  #failures = 0;
  #openings = 0;
  #openUntilMs = 0;
  #isTrying = false;

  constructor(terms: CircuitTerms = circuitTerms, now: () => number = Date.now) {
    this.#terms = terms;
    this.#now = now;
  }

  /** Epoch ms until which nothing is tried; undefined while it is closed. */
  get openUntilMs(): number | undefined {
    return this.#openUntilMs > this.#now() ? this.#openUntilMs : undefined;
  }

  /** True when it may be tried now; whoever gets true says afterwards what came of it. */
  enter(): boolean {
    if (this.#openings === 0) return true;
    if (this.openUntilMs !== undefined || this.#isTrying) return false;
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#isTrying = false;
    this.#openUntilMs = 0;
  }

  /** Nothing was learned. */
  undecided(): void {
    this.#isTrying = false;
  }

  /** Answers true when it has just opened. */
  failed(): boolean {
    this.#failures += 1;
    const reopens = this.#isTrying;
    this.#isTrying = false;
    // Questions that were under way when it opened say nothing new.
    if (!reopens && (this.#openings > 0 || this.#failures < this.#terms.failures)) return false;
    this.#openUntilMs = this.#now() + Math.min(this.#terms.openMs * 2 ** this.#openings, this.#terms.longestMs);
    this.#openings += 1;
    return true;
  }
}
