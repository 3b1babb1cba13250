import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../connect/cli-error.js';
import { readManifest } from './format/manifest.js';

/** Folders that {@link nameOf} has named; no others are ever deleted. */
const NAME = /^continuo-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** The folder of a backup that begins now. */
export const nameOf = (now: Date): string =>
  `continuo-${now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}`;

/** Whole backups of a folder, the oldest first. */
export const backupsIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const whole: string[] = [];
  for (const name of names.filter((each) => NAME.test(each)).toSorted()) {
    const path = join(folder, name);
    const isWhole = await readManifest(path).then(
      () => true,
      (error: unknown) => {
        if (error instanceof CliError) return false;
        throw error;
      },
    );
    if (isWhole) whole.push(path);
  }
  return whole;
};

/** Deletes the oldest backups beyond the newest `keep`, and unfinished ones that are older than the newest; called when a new one is whole. Answers how many. */
export const deleteOldest = async (folder: string, keep: number): Promise<number> => {
  const whole = await backupsIn(folder);
  const kept = new Set(whole.slice(-keep));
  const newest = whole.at(-1) ?? '';
  const all = (await readdir(folder)).filter((name) => NAME.test(name)).map((name) => join(folder, name));
  const old = all.filter((path) => !kept.has(path) && path < newest);
  for (const path of old) await rm(path, { recursive: true });
  return old.length;
};
