import type { Step } from '../wire/step.js';
import type { Reading } from '../oracle/envelopes.js';

/** One kind of fault, told once however often it shows. */
export interface Finding {
  readonly signature: string;
  readonly fault: string;
  /** The shortest sequence that was found to show it, as requests for a terminal. */
  readonly curl: readonly string[];
  /** Last answer of the server, shortened. */
  readonly answer: string;
}

/** Counts what came of the requests of a campaign. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #durations: number[] = [];
  readonly findings: Finding[] = [];
  requests = 0;

  take(step: Step, reading: Reading, durationMs: number): void {
    this.requests += 1;
    this.#durations.push(durationMs);
    const outcomes = this.#counts.get(step.surface) ?? new Map<string, number>();
    outcomes.set(reading.outcome, (outcomes.get(reading.outcome) ?? 0) + 1);
    this.#counts.set(step.surface, outcomes);
  }

  /** Requests by surface and outcome, the most frequent first. */
  counts(): { readonly surface: string; readonly requests: number; readonly outcomes: readonly (readonly [string, number])[] }[] {
    return [...this.#counts].map(([surface, outcomes]) => ({
      surface,
      requests: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
      outcomes: [...outcomes].toSorted(([, a], [, b]) => b - a),
    }));
  }

  /** Durations of answers, ms: median, 99th percentile, maximum. */
  durations(): { readonly p50: number; readonly p99: number; readonly max: number } {
    const sorted = this.#durations.toSorted((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return { p50: at(0.5), p99: at(0.99), max: at(1) };
  }
}
