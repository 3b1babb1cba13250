import type { Finding } from '../checks/finding.js';
import type { SelfExit } from '../cluster/service-process.js';

/** What a row cannot do without, beyond what the product itself needs. */
export type Need = 'root' | 'namespaces' | 'iptables' | 'tmpfs' | 'loop' | 'faketime' | 'ffmpeg';

/** How to run a row. */
export interface RowOptions {
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly seed: number;
  /** How often the fault comes. */
  readonly rounds: number;
  /** Gets what happens, for people who watch. */
  readonly say?: ((line: string) => void) | undefined;
}

/** What a row did and found. */
export interface RowReport {
  readonly row: string;
  readonly seed: number;
  readonly durationMs: number;
  /** How often the fault came. */
  readonly faults: number;
  readonly writes: number;
  readonly lost: number;
  readonly doubled: number;
  readonly rebuiltEqual: boolean;
  /** Longest time in which nobody was acknowledged anything, ms. */
  readonly gapMs: number;
  readonly findings: readonly Finding[];
  /** Numbers of the row itself. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Services that ended without being killed. */
  readonly selfExits: readonly SelfExit[];
}

/** One line of the table of what happens when something dies. */
export interface Row {
  readonly name: string;
  /** What happens. */
  readonly event: string;
  /** Why nothing is lost. */
  readonly by: string;
  readonly needs: readonly Need[];
  /** How often the fault comes when nothing is said. */
  readonly rounds: number;
  /** The same in every run of the tests; rows without it are for nights. */
  readonly testRounds?: number;
  readonly run: (options: RowOptions) => Promise<RowReport>;
}
