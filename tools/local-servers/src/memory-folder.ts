import { mkdtemp, realpath, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from './files.js';

/** Where Linux has a file system in memory that everybody may write to. */
const MEMORY = '/dev/shm';
/** `TMPFS_MAGIC` of Linux. */
const TMPFS = 0x01_02_19_94;
/** As much as all servers of a test run hold together, several times over; containers usually have far less there. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Makes a folder for the data of a server that is not durable anyway: in memory where there is room for it, else among the temporary files.
 * A database is a thousand files, and to make those takes a disk ten times as much processor time.
 */
export async function memoryFolder(prefix: string): Promise<string> {
  const parent = (await hasRoom(MEMORY)) ? MEMORY : await realpath(tmpdir());
  return mkdtemp(join(parent, prefix));
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { type, bavail, bsize } = await statfs(folder);
    return type === TMPFS && bavail * bsize >= ROOM_BYTES;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES')) return false;
    throw error;
  }
}
