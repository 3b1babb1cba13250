import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../walk/list-folder.js';
import { openRoot, walkCatalog, walkFolder } from '../walk/walk.js';
import type { CatalogFiles, OpenFiles } from './catalog-files.js';

/** Only a clear "no such file" counts as absence. */
const isOnDisk = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error));
  }
};

const changedAt = async (path: string): Promise<number | undefined> => {
  try {
    const { ctimeMs, mtimeMs } = await stat(path);
    return Math.max(ctimeMs, mtimeMs);
  } catch {
    // Gone, or not to be looked at: what it holds stays as it is.
    return undefined;
  }
};

/** Files in a folder of this machine. */
export const openLocalFiles: OpenFiles = async (path): Promise<CatalogFiles> => {
  const { realRoot, key } = await openRoot(path);
  return {
    root: realRoot,
    key,
    walk: (options) => walkCatalog(realRoot, options),
    folder: (folder, kindOf) => walkFolder(realRoot, folder, kindOf),
    isThere: (file) => isOnDisk(join(realRoot, file)),
    folderChangedAt: (folder) => changedAt(join(realRoot, folder)),
    locationOf: (file) => join(realRoot, file),
    movesKeepTimes: true,
    close: () => Promise.resolve(),
  };
};
