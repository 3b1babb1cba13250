import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Account } from './account.js';

/**
 * Whether an account may walk down to a folder: each folder on the way needs the execute bit for it.
 * Judged by plain mode bits; access lists are not looked at.
 * @param path absolute path of something that exists
 */
export async function isReachable(path: string, account: Account): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
