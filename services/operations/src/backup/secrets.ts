import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../config.js';

/** File in the data folder of a standalone that keeps its secret, unless that is set. */
const SECRET_FILE = 'secret';

/** The secrets that a server over this data folder has: those that are set, else the one that it keeps. The current one first. */
export const secretsOf = async (settings: Settings, dataFolder: string | undefined): Promise<readonly string[]> => {
  const { CONTINUO_SECRET: current, CONTINUO_SECRET_PREVIOUS: previous } = settings;
  const set = [current, previous].filter((secret) => secret !== undefined);
  if (set.length > 0 || dataFolder === undefined) return set;
  const kept = await readFile(join(dataFolder, SECRET_FILE), 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  });
  // A second line is the one before, while "continuo secrets rotate" is under way.
  return (kept ?? '').split('\n').filter((line) => line !== '');
};
