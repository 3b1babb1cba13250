import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in the data folder that keeps the server's secret when none is configured. */
export const secretFileOf = (dataFolder: string): string => join(dataFolder, 'secret');

/** The secret of an earlier start, or a new one of 256 random bits, readable by this account only. */
export const keptSecret = async (dataFolder: string): Promise<string> => {
  const path = secretFileOf(dataFolder);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
};
