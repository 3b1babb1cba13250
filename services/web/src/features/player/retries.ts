/** Pauses between attempts to reach the server, ms; the last one again and again. */
const PAUSES_MS = [500, 1000, 2000] as const;
const LAST_PAUSE_MS = 4000;

/** Waits before the next attempt, longer after each. @param attempt number of attempts before, from 0 */
export const pauseFor = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSES_MS[attempt] ?? LAST_PAUSE_MS);
  });

/** Counts how often a song broke off at the same place. */
export class BreakCounter {
  #last: { readonly id: string; readonly positionS: number; readonly count: number } | undefined;

  /** Notes a break at a position, s. @returns how often the song has broken off there by now */
  note(id: string, positionS: number): number {
    const isSamePlace = this.#last?.id === id && Math.abs(this.#last.positionS - positionS) < 1;
    const count = isSamePlace && this.#last ? this.#last.count + 1 : 1;
    this.#last = { id, positionS, count };
    return count;
  }
}
