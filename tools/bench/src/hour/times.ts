import { formatTable } from '@continuo/continuo-cli';
import { summarise, type Summary } from '../measure/stats.js';

/** Time of a call, ms, by its label and by what else went on. */
export class Times {
  readonly #taken = new Map<string, Map<string, number[]>>();
  readonly #failed = new Map<string, string[]>();
  #meanwhile = '';

  /** Later times belong to this. */
  meanwhile(name: string): void {
    this.#meanwhile = name;
  }

  note(label: string, ms: number): void {
    const parts = this.#taken.get(label) ?? new Map<string, number[]>();
    this.#taken.set(label, parts);
    const times = parts.get(this.#meanwhile) ?? [];
    parts.set(this.#meanwhile, times);
    times.push(ms);
  }

  /** Does something and notes its time, or its failure: then it answers undefined. */
  async of<T>(label: string, call: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    try {
      const result = await call();
      this.note(label, performance.now() - began);
      return result;
    } catch (error) {
      const reasons = this.#failed.get(label) ?? [];
      this.#failed.set(label, [...reasons, `${this.#meanwhile}: ${error instanceof Error ? error.message : String(error)}`]);
      return undefined;
    }
  }

  /** Reasons of all failures, by label. */
  get failures(): ReadonlyMap<string, readonly string[]> {
    return this.#failed;
  }

  /** Summaries by label, and within by what else went on. */
  summaries(): { readonly label: string; readonly meanwhile: string; readonly summary: Summary }[] {
    const labels = [...this.#taken].toSorted(([one], [other]) => one.localeCompare(other));
    return labels.flatMap(([label, parts]) => [...parts].map(([meanwhile, times]) => ({ label, meanwhile, summary: summarise(times) })));
  }

  /** The summaries as a table. */
  describe(): string {
    return formatTable(
      ['Operation', 'Meanwhile', 'Calls', 'p50 ms', 'p95 ms', 'p99 ms', 'Longest ms'],
      this.summaries().map(({ label, meanwhile, summary: { count, p50, p95, p99, max } }) => [
        label,
        meanwhile,
        count,
        ...[p50, p95, p99, max].map((ms) => ms.toFixed(1)),
      ]),
    );
  }
}
