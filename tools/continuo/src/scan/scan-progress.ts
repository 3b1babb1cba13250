import type { ManageTypes } from '@continuo/client';
import { counted, formatCount, formatDuration } from '@continuo/operations';
import { workDurationMs } from '../output/follow-work.js';

/** A scan as the management API shows it. */
export type Scan = ManageTypes['schemas']['Scan'];

/** Counts so far, in one line. */
export const describeCounts = (scan: Scan): string =>
  [
    `${counted(scan.progress.done, 'file')} in ${counted(scan.foldersSeen, 'folder')}`,
    `${formatCount(scan.songsAdded)} added`,
    `${formatCount(scan.songsChanged)} changed`,
    `${formatCount(scan.songsMoved)} moved`,
    `${formatCount(scan.songsRemoved)} removed`,
    `${formatCount(scan.filesSkipped)} skipped`,
  ].join(', ');

/** Duration of a scan, so far at `nowMs`. */
export const scanDuration = ({ startedAt, requestedAt, endedAt }: Scan, nowMs: number): string =>
  formatDuration(workDurationMs({ startedAt: startedAt ?? requestedAt, endedAt }, nowMs));

/** Files per second since a scan began. */
export const scanSpeed = ({ progress, startedAt, updatedAt }: Scan): string => {
  const seconds = Math.max(0.001, (Date.parse(updatedAt) - Date.parse(startedAt ?? updatedAt)) / 1000);
  return `${formatCount(Math.round(progress.done / seconds))} files/s`;
};
