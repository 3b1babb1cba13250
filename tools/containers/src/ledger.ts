import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 50;

/** An independent book of the writes that a server acknowledged, kept while parts of it die and come back. */
export class Ledger {
  readonly acknowledged: string[] = [];
  readonly #ended = new AbortController();
  readonly #writing: Promise<void>;

  /** @param write resolves when the server has said yes; what it refuses, or leaves without an answer, may stand or not and is not booked */
  constructor(prefix: string, write: (name: string) => Promise<unknown>) {
    this.#writing = this.#keepWriting(prefix, write);
  }

  /** Ends the writing; resolves when the last write has its answer. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#writing;
  }

  /** Returns acknowledged entries that are missing, and entries that are there more than once. */
  audit(found: readonly string[]): { missing: string[]; double: string[] } {
    const there = new Set(found);
    return {
      missing: this.acknowledged.filter((name) => !there.has(name)),
      double: found.filter((name, at) => found.indexOf(name) !== at),
    };
  }

  async #keepWriting(prefix: string, write: (name: string) => Promise<unknown>): Promise<void> {
    for (let attempt = 1; !this.#ended.signal.aborted; attempt += 1) {
      const name = `${prefix} ${attempt}`;
      const isTaken = await write(name).then(
        () => true,
        () => false,
      );
      if (isTaken) this.acknowledged.push(name);
      await delay(PAUSE_MS);
    }
  }
}
