import type { EventStreamName } from '@continuo/contracts';
import { onStatus } from '../../transport/on-status.js';
import type { LogWatchContext } from './log-watch-context.js';
import type { Gap } from './gaps.js';
import { WatchedLog } from './watched-log.js';

/** Interval at which a complete log is checked again; a damaged one is checked for every reader. */
const LOOK_EVERY_MS = 60_000;

/** One event stream of this or another service, for readers that ask for some of its events only: the server does not tell them what it leaves out. */
export class GapCheckedLog {
  readonly #log: WatchedLog;
  readonly #unwatch: () => void;
  /** Positions that this process has found to be there. */
  #read: Gap | undefined;
  #lookAt = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(context: LogWatchContext, stream: EventStreamName, signal: AbortSignal) {
    this.#log = new WatchedLog(context, stream, signal);
    // The server may have come back with less than it had.
    this.#unwatch = onStatus(context.nats, 'reconnect', () => {
      this.#read = undefined;
      this.#lookAt = 0;
    });
  }

  stop(): void {
    this.#unwatch();
  }

  /**
   * Makes sure that nothing is missing between two positions, nor elsewhere as far as is known. One reader at a time, so that what one has read spares the others.
   * @throws LogDamaged when something is missing whose loss nobody has accepted
   */
  requireCompleteUpTo(after: number, position: number): Promise<void> {
    const turn = this.#turn.then(() => this.#insist(after, position));
    // Its caller gets the error; the next reader looks for itself.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #insist(after: number, position: number): Promise<void> {
    if (performance.now() >= this.#lookAt || this.#log.damage !== undefined) {
      await this.#log.look();
      this.#lookAt = performance.now() + LOOK_EVERY_MS;
    }
    this.#log.assertWhole();
    const known = this.#read !== undefined && after + 1 >= this.#read.from && after <= this.#read.to ? this.#read : undefined;
    const from = known ? known.to + 1 : after + 1;
    if (from < position) await this.#log.readBetween({ from, to: position - 1 });
    this.#log.assertWhole();
    this.#read = { from: known?.from ?? from, to: Math.max(position, known?.to ?? 0) };
  }
}
