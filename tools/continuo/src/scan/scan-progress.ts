import type { ManageTypes } from '@continuo/client';
import { Presets, SingleBar } from 'cli-progress';
import { counted, formatCount, formatDuration } from '@continuo/operations';

/** A scan as the management API shows it. */
export type Scan = ManageTypes['schemas']['Scan'];

/** Something that shows how a scan gets on. */
export interface ScanProgress {
  update(scan: Scan): void;
  stop(): void;
}

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
export const scanDuration = (scan: Scan, nowMs: number): string =>
  formatDuration(Math.max(0, (scan.endedAt === null ? nowMs : Date.parse(scan.endedAt)) - Date.parse(scan.startedAt ?? scan.requestedAt)));

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
      const seconds = Math.max(0.001, (Date.parse(scan.updatedAt) - Date.parse(scan.startedAt ?? scan.updatedAt)) / 1000);
      bar.setTotal(Math.max(1, expectedFiles, scan.progress.done));
      bar.update(scan.progress.done, {
        counts: describeCounts(scan),
        speed: `${formatCount(Math.round(scan.progress.done / seconds))} files/s`,
      });
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
