import type { Managed } from './api.js';

type TimedScan = Pick<Managed['Scan'], 'state' | 'progress' | 'startedAt' | 'updatedAt' | 'endedAt'>;

/** Speed of a scan, and how long it takes. */
export interface ScanPace {
  readonly filesPerS: number;
  /** Time that is left, s; null when the number of files is not known, and for scans that have ended. */
  readonly leftS: number | null;
  /** Time that it has taken so far, s. */
  readonly tookS: number;
}

/** Below this a rate says nothing, s. */
const LEAST_S = 1;

/** Pace of a scan from its start to its last sign of life; undefined before it has read files for a second. */
export const paceOf = ({ state, progress: { done, total }, startedAt, updatedAt, endedAt }: TimedScan): ScanPace | undefined => {
  if (startedAt === null) return undefined;
  const tookS = (Date.parse(endedAt ?? updatedAt) - Date.parse(startedAt)) / 1000;
  if (tookS < LEAST_S || done === 0) return undefined;
  const filesPerS = done / tookS;
  return { filesPerS, tookS, leftS: state === 'running' && total !== null ? Math.max(0, total - done) / filesPerS : null };
};
