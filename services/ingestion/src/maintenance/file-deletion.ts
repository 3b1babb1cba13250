import { readdir, realpath, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Rejection } from '@continuo/contracts';
import { isInside } from '@continuo/media-store';
import { errorCode } from '../walk/list-folder.js';
import { catalogRoot } from './catalog-path.js';

/** A file that is to go, by what the library knows of it. */
export interface DeletableFile {
  /** Folder relative to the catalog's root. */
  readonly folderPath: string;
  readonly fileName: string;
}

/**
 * The root of a catalog from which files may be deleted. A root without any entry is far more likely an absent disk: a file that is missing there is not gone.
 * @throws Rejection `catalog.path-unusable`
 */
export const rootForDeletion = async (root: string): Promise<string> => {
  const realRoot = await catalogRoot(root);
  if ((await readdir(realRoot)).length === 0)
    throw new Rejection('catalog.path-unusable', "the catalog's folder is empty; is the disk mounted?", root);
  return realRoot;
};

/**
 * Deletes one file of a catalog; of a link the link itself, never what it leads to. The folder is resolved first and must lie in the catalog. A file that is
 * missing is fine.
 * @throws Rejection `catalog.path-outside`, or `media.failed` when the file cannot be deleted
 */
export const deleteFile = async (realRoot: string, { folderPath, fileName }: DeletableFile): Promise<void> => {
  const path = folderPath === '' ? fileName : `${folderPath}/${fileName}`;
  if (fileName === '' || fileName === '.' || fileName === '..' || fileName.includes('/'))
    throw new Rejection('catalog.path-outside', undefined, path);
  try {
    const folder = await realpath(join(realRoot, folderPath));
    if (folder !== realRoot && !isInside(realRoot, folder)) throw new Rejection('catalog.path-outside', undefined, path);
    await unlink(join(folder, fileName));
  } catch (error) {
    if (error instanceof Rejection) throw error;
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    throw new Rejection('media.failed', `the file cannot be deleted (${code}): ${path}`, path, { cause: error });
  }
};
