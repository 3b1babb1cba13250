import type { ScanTable } from '@continuo/contracts';
import { Presets, SingleBar } from 'cli-progress';
import { counted, formatCount, formatDuration } from '../output/table.js';

/** Something that shows how a scan gets on. */
export interface ScanProgress {
  update(scan: ScanTable): void;
  stop(): void;
}

/** What was found so far, in one line. */
export const describeCounts = (scan: ScanTable): string =>
  [
    `${counted(scan.files_seen, 'file')} in ${counted(scan.folders_seen, 'folder')}`,
    `${formatCount(scan.songs_added)} added`,
    `${formatCount(scan.songs_changed)} changed`,
    `${formatCount(scan.songs_moved)} moved`,
    `${formatCount(scan.songs_removed)} removed`,
    `${formatCount(scan.files_skipped)} skipped`,
  ].join(', ');

/** How long a scan ran, or has been running at `nowMs`. */
export const scanDuration = (scan: ScanTable, nowMs: number): string =>
  formatDuration(Math.max(0, (scan.finished_at_ms ?? nowMs) - (scan.started_at_ms ?? scan.requested_at_ms)));

/**
 * A bar when the number of files is roughly known from the last scan, a running count otherwise.
 * @param expectedFiles 0 = unknown
 */
const barProgress = (label: string, expectedFiles: number, stream: NodeJS.WriteStream): ScanProgress => {
  const format = expectedFiles > 0 ? '{label} [{bar}] {percentage}% | {counts} | {speed}' : '{label} | {counts} | {speed}';
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true, barsize: 24 }, Presets.shades_classic);
  bar.start(Math.max(1, expectedFiles), 0, { label, counts: 'waiting', speed: '' });
  return {
    update: (scan) => {
      const seconds = Math.max(0.001, (scan.updated_at_ms - (scan.started_at_ms ?? scan.updated_at_ms)) / 1000);
      bar.setTotal(Math.max(1, expectedFiles, scan.files_seen));
      bar.update(scan.files_seen, { counts: describeCounts(scan), speed: `${formatCount(Math.round(scan.files_seen / seconds))} files/s` });
    },
    stop: () => bar.stop(),
  };
};

/** A line whenever the counts have changed, for logs and pipes. */
const lineProgress = (label: string, print: (line: string) => void): ScanProgress => {
  let last = '';
  return {
    update: (scan) => {
      const line = `${label}: ${describeCounts(scan)}`;
      if (line !== last) print(line);
      last = line;
    },
    stop: () => undefined,
  };
};

/** Progress that suits the stream: a moving bar on a terminal, plain lines elsewhere. */
export const scanProgress = (
  label: string,
  expectedFiles: number,
  to: { moving: NodeJS.WriteStream; warn: (line: string) => void },
): ScanProgress => (to.moving.isTTY ? barProgress(label, expectedFiles, to.moving) : lineProgress(label, to.warn));
