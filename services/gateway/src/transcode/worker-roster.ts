import { TRANSCODE_HEARTBEAT_INTERVAL_MS } from '@continuo/contracts';

/** Silence after which a worker is not waited for. */
const SILENCE_MS = 2.5 * TRANSCODE_HEARTBEAT_INTERVAL_MS;

/** Time for which an unreachable worker is not the first choice: each new try costs a listener up to the connect timeout. */
const AVOIDED_MS = 15_000;

/** Tracks the live workers by their heartbeats. It only decides how many answers to wait for: unknown workers are asked, too. */
export class WorkerRoster {
  readonly #seenAtMs = new Map<string, number>();
  readonly #avoidedUntilMs = new Map<string, number>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  note(workerId: string, takes: boolean): void {
    if (takes) this.#seenAtMs.set(workerId, this.#now());
    else this.#seenAtMs.delete(workerId);
  }

  /** Notes that a worker answers but takes no connection. */
  avoid(workerId: string): void {
    this.#avoidedUntilMs.set(workerId, this.#now() + AVOIDED_MS);
  }

  /** True for a worker that lately took no connection: another one is better, if there is one. */
  isAvoided(workerId: string): boolean {
    const untilMs = this.#avoidedUntilMs.get(workerId);
    if (untilMs === undefined || this.#now() < untilMs) return untilMs !== undefined;
    this.#avoidedUntilMs.delete(workerId);
    return false;
  }

  /** Returns the workers with a recent heartbeat. */
  present(): readonly string[] {
    const since = this.#now() - SILENCE_MS;
    for (const [id, atMs] of this.#seenAtMs) if (atMs < since) this.#seenAtMs.delete(id);
    return [...this.#seenAtMs.keys()];
  }
}
