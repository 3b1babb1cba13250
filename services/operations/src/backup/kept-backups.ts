import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../connect/operator-error.js';
import { readManifest, type Manifest } from './format/manifest.js';
import { readVerification, type Verification } from './format/verification.js';
import { filesOf } from './take-backup.js';

/** Folders that {@link nameOf} has named; no others are ever deleted. */
const NAME = /^continuo-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** Whether a name is one that {@link nameOf} gives. */
export const isNameOfBackup = (name: string): boolean => NAME.test(name);

/** The folder of a backup that begins now. */
export const nameOf = (now: Date): string =>
  `continuo-${now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}`;

/** Whole backups of a folder, the oldest first. */
export const backupsIn = async (folder: string): Promise<string[]> => {
  const whole: string[] = [];
  for (const name of await backupNames(folder)) {
    const path = join(folder, name);
    if (await manifestIn(path)) whole.push(path);
  }
  return whole;
};

/** Names of all backups of a folder, whole or not, the oldest first. */
export const backupNames = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isNameOfBackup).toSorted();
};

/** Undefined for what is no whole backup. */
const manifestIn = (path: string): Promise<Manifest | undefined> =>
  readManifest(path).catch((error: unknown) => {
    if (error instanceof OperatorError) return undefined;
    throw error;
  });

/** Facts of a complete backup, from its manifest. */
export interface BackupSummary {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly version: string;
  readonly sizeBytes: number;
  readonly tables: number;
  readonly messages: number;
  readonly pictures: number;
  /** Null for one that was never verified. */
  readonly lastVerification: Verification | null;
}

/** Reads what a backup says of itself; undefined for one that is not whole. */
export const summaryOf = async (path: string): Promise<BackupSummary | undefined> => {
  const manifest = await manifestIn(path);
  if (!manifest) return undefined;
  const { startedAt, finishedAt, product, database, streams, pictures } = manifest;
  return {
    startedAt,
    finishedAt,
    version: product.version,
    sizeBytes: filesOf(manifest).reduce((sum, { sizeBytes }) => sum + sizeBytes, pictures?.sizeBytes ?? 0),
    tables: database?.tables.length ?? 0,
    messages: streams.reduce((sum, { state }) => sum + state.messages, 0),
    pictures: pictures?.count ?? 0,
    lastVerification: await readVerification(path),
  };
};

/** Deletes a backup. @throws OperatorError for a name that no backup of the folder has */
export const deleteBackup = async (folder: string, name: string): Promise<void> => {
  if (!(await backupNames(folder)).includes(name)) throw new OperatorError(`there is no backup ${name}`, undefined, { kind: 'not-found' });
  await rm(join(folder, name), { recursive: true });
};

/** Deletes the oldest backups beyond the newest `keep`, and unfinished ones that are older than the newest; called when a new one is whole. Answers how many. */
export const deleteOldest = async (folder: string, keep: number): Promise<number> => {
  const whole = await backupsIn(folder);
  const kept = new Set(whole.slice(-keep));
  const newest = whole.at(-1) ?? '';
  const all = (await readdir(folder)).filter(isNameOfBackup).map((name) => join(folder, name));
  const old = all.filter((path) => !kept.has(path) && path < newest);
  for (const path of old) await rm(path, { recursive: true });
  return old.length;
};
