import { Rejection } from '@continuo/contracts';

const settled = (): undefined => undefined;

/**
 * Lets one visit to a player happen at a time, so that what one of them looks at nobody of this replica changes before it acts, and the player has few
 * connections. Who would wait for longer than `maxWaitMs` is refused: nothing is done that nobody waits for any more.
 */
export class Visits {
  #last: Promise<unknown> = Promise.resolve();
  /** Reads that have not begun, by what they read. */
  readonly #waiting = new Map<string, Promise<unknown>>();

  constructor(
    private readonly maxWaitMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Does something once everything before it is done. @throws Rejection `player.unreachable` when that takes too long */
  do<T>(work: () => Promise<T>): Promise<T> {
    const since = this.now();
    const result = this.#last.then(() => {
      if (this.now() - since > this.maxWaitMs)
        throw new Rejection('player.unreachable', 'The player does not keep up with what it is told');
      return work();
    });
    this.#last = result.then(settled, settled);
    return result;
  }

  /** Reads something; who asks for the same before the reading has begun shares it. */
  read<T>(what: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(what);
    if (waiting) return waiting as Promise<T>;
    const result = this.do(() => {
      this.#waiting.delete(what);
      return work();
    });
    this.#waiting.set(what, result);
    // Also when it was refused before it began.
    void result.then(settled, () => this.#waiting.get(what) === result && this.#waiting.delete(what));
    return result;
  }
}
