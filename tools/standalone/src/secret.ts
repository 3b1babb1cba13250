import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in the data folder that keeps the server's secret when none is configured. */
export const secretFileOf = (dataFolder: string): string => join(dataFolder, 'secret');

/** What the file holds. */
export interface KeptSecret {
  readonly secret: string;
  /** The one before, while `continuo secrets rotate` is under way or was broken off. */
  readonly previous?: string | undefined;
}

/** The secret of an earlier start, or a new one of 256 random bits, readable by this account only. @throws Error when the file is empty */
export const keptSecret = async (dataFolder: string): Promise<KeptSecret> => {
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
  const [secret, previous] = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  if (secret === undefined) throw new Error(`${path} is empty: put the secret back that was in it (docs/operate/recover.md)`);
  return { secret, previous };
};
