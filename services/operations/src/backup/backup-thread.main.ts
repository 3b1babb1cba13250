import { parentPort, workerData } from 'node:worker_threads';
import { OperatorError } from '../connect/operator-error.js';
import type { BackupMessage, BackupOrder } from './backup-thread.js';
import type { Report } from './report.js';
import { takeBackup } from './take-backup.js';
import { verifyBackup } from './verify-backup.js';

/* Runs in a thread of its own, see backup-thread.ts. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
const tell = (message: BackupMessage): void => parentPort?.postMessage(message);
const nothing = (): void => undefined;
const report: Report = { done: nothing, note: nothing, end: nothing, moving: (text) => tell({ kind: 'moving', text }) };

const run = async (order: BackupOrder): Promise<readonly string[]> => {
  if (order.kind === 'verify') return verifyBackup(order.folder, report, order.databaseUrl);
  await takeBackup(order.request, report);
  return [];
};

try {
  tell({ kind: 'end', faults: await run(workerData as BackupOrder) });
} catch (error) {
  const errorKind = error instanceof OperatorError ? error.kind : undefined;
  tell({ kind: 'error', message: error instanceof Error ? error.message : String(error), errorKind });
}
