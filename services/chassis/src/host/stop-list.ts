import type { Logger } from 'pino';
import { withTimeout } from '../with-timeout.js';
import type { Running } from '../running.js';

/**
 * Remembers what was started, and ends it in reverse order. A part that fails to end, or does not end in time, is logged and does not keep the
 * others from ending.
 */
export class StopList implements Running {
  readonly #log: Logger;
  readonly #withinMs: number;
  readonly #parts: { readonly name: string; readonly stop: () => Promise<unknown> }[] = [];
  #stopping: Promise<void> | undefined;

  /** @param withinMs time for each part */
  constructor(log: Logger, withinMs: number) {
    this.#log = log;
    this.#withinMs = withinMs;
  }

  add(name: string, stop: () => Promise<unknown>): void {
    this.#parts.push({ name, stop });
  }

  /** Safe to call twice: the second caller waits for the same end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#parts.toReversed()) {
      try {
        await withTimeout(this.#withinMs, stop());
      } catch (error) {
        this.#log.error({ err: error, part: name }, 'a part of the service did not end in order');
      }
    }
  }
}
