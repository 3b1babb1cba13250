import { randomBytes } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in the data folder that keeps the server's secret when none is configured. */
export const secretFileOf = (dataFolder: string): string => join(dataFolder, 'secret');

/** Content of the secret file. */
export interface StoredSecret {
  readonly secret: string;
  /** The one before, while `continuo secrets rotate` is under way or was broken off. */
  readonly previous?: string | undefined;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The secret of an earlier start, or a new one of 256 random bits, readable by this account only.
 * @throws Error when the file is empty, or missing beside a log that was written under it, unless it is said to be lost
 */
export const keptSecret = async (dataFolder: string, isLost = false): Promise<StoredSecret> => {
  const path = secretFileOf(dataFolder);
  if (!isLost && !(await isThere(path)) && (await isThere(join(dataFolder, 'nats'))))
    throw new Error(
      `${path} is missing, and the data beside it need it: put it back from a backup, or set CONTINUO_SECRET to what was in it. If it is lost, docs/operate/recover.md says what can be had back.`,
    );
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const [secret, previous] = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  if (secret === undefined) throw new Error(`${path} is empty: put the secret back that was in it (docs/operate/recover.md)`);
  return { secret, previous };
};
