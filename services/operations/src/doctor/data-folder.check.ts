import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** Below this JetStream and Postgres may soon have to stop. */
const SCARCE_BYTES = 2 * 1024 ** 3;

/** The data folder can be written and has room; undefined when it is not known. */
export const checkDataFolder = async (folder: string | undefined): Promise<Finding | undefined> => {
  if (folder === undefined) return undefined;
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(probe, 'probe', { flag: 'wx' });
    await rm(probe);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const detail = `${folder} can be written, ${(free / 1024 ** 3).toFixed(1)} GB free`;
    return free < SCARCE_BYTES ? warning('Data folder', detail, 'make room on this disk') : ok('Data folder', detail);
  } catch (error) {
    return fault('Data folder', `${folder} cannot be written: ${reasonOf(error)}`, 'correct its owner and permissions, or free disk space');
  }
};
