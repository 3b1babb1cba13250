import { registerGauge } from '@continuo/chassis';
import type { ScanCounts } from '@continuo/contracts';
import { Counter, type Registry } from 'prom-client';
import type { ScanTally } from './scan-tally.js';

/** Values of the label `outcome`. */
const outcomes = {
  filesSeen: 'seen',
  filesSkipped: 'skipped',
  songsAdded: 'added',
  songsChanged: 'changed',
  songsMoved: 'moved',
  songsRemoved: 'removed',
} as const satisfies Partial<Record<keyof ScanCounts, string>>;

type Counted = keyof typeof outcomes;
const counted = Object.keys(outcomes) as Counted[];

/** Counts what the scans of this process come to, also while they run. */
export class ScanMetrics {
  readonly #running = new Map<ScanTally, ScanCounts>();
  readonly #files: Counter<'outcome'>;
  readonly #scans: Counter<'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const running = this.#running;
    const settle = (): void => {
      for (const tally of running.keys()) this.#settle(tally);
    };
    registerGauge({
      name: 'continuo_scans_running',
      help: 'Scans that this process works on',
      registers,
      collect() {
        this.set(running.size);
      },
    });
    this.#files = new Counter({
      name: 'continuo_scan_files_total',
      help: 'Files and songs that scans came by, by what became of them',
      labelNames: ['outcome'],
      registers,
      collect: settle,
    });
    this.#scans = new Counter({
      name: 'continuo_scans_total',
      help: 'Scans by how their work ended: finished, or stopped (failed, cancelled, handed to another worker)',
      labelNames: ['outcome'],
      registers,
    });
  }

  /** Counts a scan from now on; what earlier attempts have come to is counted already. */
  begin(tally: ScanTally): void {
    this.#running.set(tally, tally.counts());
  }

  /** The last word on a scan. */
  end(tally: ScanTally, outcome: 'finished' | 'stopped'): void {
    this.#settle(tally);
    this.#running.delete(tally);
    this.#scans.inc({ outcome });
  }

  #settle(tally: ScanTally): void {
    const before = this.#running.get(tally);
    if (!before) return;
    const counts = tally.counts();
    for (const name of counted) this.#files.inc({ outcome: outcomes[name] }, Math.max(0, counts[name] - before[name]));
    this.#running.set(tally, counts);
  }
}
