import { HELD_LIMIT_MS, leastStrainOf, probeReading, type ProbedProcess } from '@continuo/bench';
import { faultOfStrain } from '../oracle/strain.js';
import type { Answer } from '../wire/send.js';
import type { Finding } from './tally.js';

/** A request that may have asked too much of the server. */
export interface Suspect {
  /** Surface and operation: of each only the slowest is looked at again. */
  readonly what: string;
  readonly curl: readonly string[];
  readonly send: () => Promise<Answer>;
}

/** An answer from which on the memory that it takes is looked at, bytes. */
const LARGE_BYTES = 2 * 1024 ** 2;
/** Requests that are looked at again, the slowest first. */
const MAX_AGAIN = 40;

/**
 * Notes the requests during which the event loop was held too long. Several are under way at a time, and the machine may be busy, so each of them is only suspected
 * until it was sent again alone.
 */
export class Suspects {
  readonly #slowest = new Map<string, { readonly suspect: Suspect; readonly durationMs: number }>();
  #looking: Promise<void> = Promise.resolve();
  #heldAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly server: ProbedProcess) {}

  /** Looks at a request that has just been answered. */
  async consider(suspect: Suspect, { durationMs, body }: Answer): Promise<void> {
    const begunAtMs = performance.now() - durationMs;
    if (durationMs <= HELD_LIMIT_MS && body.length < LARGE_BYTES) return;
    // One after the other: an answer of the probe does not say whose it is.
    this.#looking = this.#looking.then(() => this.#look());
    await this.#looking;
    if (this.#heldAtMs < begunAtMs && body.length < LARGE_BYTES) return;
    const known = this.#slowest.get(suspect.what);
    if (!known || known.durationMs < durationMs) this.#slowest.set(suspect.what, { suspect, durationMs });
  }

  /** Sends the suspected requests again, each alone, and answers those that are at fault. */
  async tryAgain(): Promise<Finding[]> {
    await this.#looking;
    const slowest = [...this.#slowest.values()].toSorted((a, b) => b.durationMs - a.durationMs).slice(0, MAX_AGAIN);
    const findings: Finding[] = [];
    for (const { suspect } of slowest) {
      const strain = await leastStrainOf(this.server, suspect.send);
      const fault = faultOfStrain(strain);
      if (fault === undefined) continue;
      findings.push({ signature: `${suspect.what}: ${fault.replaceAll(/\d+/g, 'N')}`, fault, curl: suspect.curl, answer: '' });
    }
    return findings;
  }

  async #look(): Promise<void> {
    if ((await probeReading(this.server)).busyMs > HELD_LIMIT_MS) this.#heldAtMs = performance.now();
  }
}
