import { setTimeout as delay } from 'node:timers/promises';
import { ask, type ApiAnswer } from './api-client.js';

/** Outcome of a request loop. */
export interface RequestLoopOutcome {
  readonly asked: number;
  readonly good: number;
  readonly longestMs: number;
  /** Longest time without a good answer, ms. */
  readonly gapMs: number;
  /** Answers that were not good, by what they said. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Chooses the next request and its gateway. */
export type NextRequest = () => { readonly gateway: string; readonly operation: string; readonly query: Readonly<Record<string, string>> };

/** Asks the same thing again and again and notes what it is told, and how long that takes. */
export class RequestLoop {
  readonly #next: NextRequest;
  readonly #betweenMs: number;
  readonly #reasons = new Map<string, number>();
  #isOver = false;
  #asked = 0;
  #good = 0;
  #longestMs = 0;
  #gapMs = 0;
  #lastGoodAt = performance.now();
  #running: Promise<unknown> = Promise.resolve();

  constructor(next: NextRequest, betweenMs = 200) {
    this.#next = next;
    this.#betweenMs = betweenMs;
  }

  /** Begins, so many times at once. */
  start(times = 1): this {
    this.#lastGoodAt = performance.now();
    this.#running = Promise.all(Array.from({ length: times }, () => this.#run()));
    return this;
  }

  get good(): number {
    return this.#good;
  }

  /** Forgets what was, so that what comes now is seen alone. */
  reset(): void {
    [this.#asked, this.#good, this.#longestMs, this.#gapMs] = [0, 0, 0, 0];
    this.#lastGoodAt = performance.now();
    this.#reasons.clear();
  }

  get outcome(): RequestLoopOutcome {
    const reasons = Object.fromEntries(this.#reasons);
    return { asked: this.#asked, good: this.#good, longestMs: this.#longestMs, gapMs: Math.round(this.#gapMs), reasons };
  }

  async stop(): Promise<RequestLoopOutcome> {
    this.#isOver = true;
    await this.#running;
    return this.outcome;
  }

  async #run(): Promise<void> {
    for (; !this.#isOver; await delay(this.#betweenMs)) {
      const { gateway, operation, query } = this.#next();
      this.#note(await ask(gateway, operation, query));
    }
  }

  #note({ isGood, reason, durationMs }: ApiAnswer): void {
    this.#asked += 1;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
    if (!isGood) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
      return;
    }
    this.#good += 1;
    this.#gapMs = Math.max(this.#gapMs, performance.now() - this.#lastGoodAt);
    this.#lastGoodAt = performance.now();
  }
}
