import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connectionFileOf, type StandaloneConnection } from '@continuo/operations';

/** Leaves the connection data for the `continuo` program, for this account's eyes only. */
export const writeConnection = async (connection: StandaloneConnection): Promise<void> => {
  const path = connectionFileOf(connection.dataFolder);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(connection, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
};

/** Takes it away again at an orderly end. */
export const removeConnection = (dataFolder: string): Promise<void> => rm(connectionFileOf(dataFolder), { force: true });
