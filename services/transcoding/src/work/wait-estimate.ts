/** Weight of a new measurement in the average. */
const WEIGHT = 0.2;
/** Taken before anything was measured. */
const FIRST_GUESS_MS = 5000;
const MOST_SECONDS = 30;

/** Guesses when a place becomes free, by how long transcodes have taken lately. */
export class WaitEstimate {
  #averageMs = FIRST_GUESS_MS;

  /** A transcode took so long. */
  note(durationMs: number): void {
    this.#averageMs += (durationMs - this.#averageMs) * WEIGHT;
  }

  /** Whole seconds until the first of those under way has probably ended, 1 to 30. */
  seconds(underWay: readonly { readonly startedAtMs: number }[]): number {
    const oldest = Math.min(...underWay.map(({ startedAtMs }) => startedAtMs), performance.now());
    const leftMs = this.#averageMs - (performance.now() - oldest);
    return Math.min(MOST_SECONDS, Math.max(1, Math.ceil(leftMs / 1000)));
  }
}
