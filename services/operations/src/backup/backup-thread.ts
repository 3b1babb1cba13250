import { Worker } from 'node:worker_threads';
import { OperatorError, type OperatorErrorKind } from '../connect/operator-error.js';
import type { BackupRequest } from './take-backup.js';

/** Work of the thread: a new backup, or a look through one. */
export type BackupOrder =
  | { readonly kind: 'take'; readonly request: BackupRequest }
  | { readonly kind: 'verify'; readonly folder: string; readonly databaseUrl?: string };

/** Message of the thread. */
export type BackupMessage =
  | { readonly kind: 'moving'; readonly text: string }
  | { readonly kind: 'end'; readonly faults: readonly string[] }
  | { readonly kind: 'error'; readonly message: string; readonly errorKind: OperatorErrorKind | undefined };

/** How far a backup is, in parts of what it is at. */
export interface BackupProgress {
  readonly done: number;
  readonly total: number;
  readonly unit: string;
}

const MOVING = /^(?<unit>[A-Z]\w+): (?<done>\d+) of (?<total>\d+)/;

const progressOf = (text: string): BackupProgress | undefined => {
  const { unit, done, total } = MOVING.exec(text)?.groups ?? {};
  return unit === undefined ? undefined : { unit: unit.toLowerCase(), done: Number(done), total: Number(total) };
};

/**
 * Takes or verifies a backup in a thread of its own, so that a server that answers people at the same time goes on doing so. Answers the faults that were
 * found; of a new backup there are none.
 * @throws OperatorError as `takeBackup` and `verifyBackup` do
 */
export const backupInThread = (order: BackupOrder, onProgress: (progress: BackupProgress) => void): Promise<readonly string[]> => {
  const fromSources = import.meta.url.endsWith('.ts');
  const program = fromSources ? '../../dist/backup/backup-thread.main.js' : './backup-thread.main.js';
  const worker = new Worker(new URL(program, import.meta.url), { workerData: order, name: 'backup', execArgv: [] });
  // A server that is stopped does not wait for a backup, which is begun anew.
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.on('message', (message: BackupMessage) => {
      if (message.kind === 'end') return resolve(message.faults);
      if (message.kind === 'error')
        return reject(
          message.errorKind ? new OperatorError(message.message, undefined, { kind: message.errorKind }) : new Error(message.message),
        );
      const progress = progressOf(message.text);
      if (progress) onProgress(progress);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread of the backup ended early (${code})`)));
  });
};
