import type { Finding } from '../checks/finding.js';
import type { UnexpectedExit } from '../cluster/service-process.js';

/** Requirement of a row, beyond those of the product. */
export type RowRequirement = 'root' | 'namespaces' | 'iptables' | 'tmpfs' | 'loop' | 'faketime' | 'ffmpeg';

/** Options of a row. */
export interface RowOptions {
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly seed: number;
  /** Number of faults. */
  readonly rounds: number;
  /** Less work than by hand or at night, for the tests. */
  readonly isShort?: boolean;
  /** Gets what happens, for people who watch. */
  readonly say?: ((line: string) => void) | undefined;
}

/** Report of a row. */
export interface RowReport {
  readonly row: string;
  readonly seed: number;
  readonly durationMs: number;
  /** Number of faults injected. */
  readonly faults: number;
  /** Commands that were acknowledged. */
  readonly writes: number;
  /** By the account of the writers and listeners, where the row has them. */
  readonly lost?: number;
  readonly doubled?: number;
  /** Longest time in which nobody was acknowledged anything, ms. */
  readonly gapMs?: number;
  readonly findings: readonly Finding[];
  /** Numbers of the row itself. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Services that ended without being killed. */
  readonly selfExits: readonly UnexpectedExit[];
}

/** Outcome of a fault. */
export interface FaultOutcome {
  readonly faults: number;
  readonly findings?: readonly Finding[];
  readonly figures?: Readonly<Record<string, unknown>>;
}

/** One line of the table of what happens when something dies. */
export interface Row {
  readonly name: string;
  /** Event of the row. */
  readonly event: string;
  /** Why nothing is lost. */
  readonly by: string;
  readonly needs: readonly RowRequirement[];
  /** Default number of faults. */
  readonly rounds: number;
  /** The same in the long form of the tests; rows without it are for whole nights. */
  readonly testRounds?: number;
  /** True for a row of the short form, too: those that nothing else covers as well, and that take a minute. */
  readonly isInShortForm?: boolean;
  /** Figures that must be above 0 in the tests: the faults met the work that they are meant for. */
  readonly testFigures?: readonly string[];
  readonly run: (options: RowOptions) => Promise<RowReport>;
}
