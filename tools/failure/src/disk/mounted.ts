import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from '../until.js';

const run = promisify(execFile);
const UNMOUNT_MS = 60_000;

/** Mounts something on a folder, which is made when it is missing; what an earlier run has left there is taken away. @throws Error when the system refuses */
export const mount = async (folder: string, args: readonly string[]): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await run('umount', [folder]).catch(() => undefined);
  await run('mount', [...args, folder]);
};

/** Takes a mount away as soon as nobody uses it any more. @throws Error when somebody goes on doing so */
export const unmount = (folder: string): Promise<void> =>
  until(`${folder} is not in use`, UNMOUNT_MS, async () => {
    await run('umount', [folder]);
    return true;
  });
