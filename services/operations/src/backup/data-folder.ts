import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Settings } from '../config.js';
import type { Access } from '../connect/locate.js';

/** The data folder, where it is known: that of the standalone, else the one that is set, if it is there. */
export const knownDataFolder = async (settings: Settings, { dataFolder }: Pick<Access, 'dataFolder'>): Promise<string | undefined> => {
  if (dataFolder !== undefined) return dataFolder;
  const set = resolve(settings.CONTINUO_DATA);
  try {
    return (await stat(set)).isDirectory() ? set : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
