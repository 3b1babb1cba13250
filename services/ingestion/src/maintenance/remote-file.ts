import { basename } from 'node:path/posix';
import { Rejection, type ScannedTrack } from '@continuo/contracts';
import type { CatalogFiles, OpenFiles } from '../catalog-files/catalog-files.js';
import type { TagReader } from '../tags/tag-reader.js';
import { isIgnoredName, type KindOf } from '../walk/file-kinds.js';
import { RootUnusable } from '../walk/walk.js';
import type { CatalogPath } from './catalog-path.js';

const outside = (path: string, why?: string): Rejection => new Rejection('catalog.path-outside', why, path.slice(0, 1000));

/** Opens the files of a catalog that is no folder of this machine. @throws Rejection `catalog.path-unusable` when its place cannot be asked */
const openElsewhere = async (openFiles: OpenFiles, root: string): Promise<CatalogFiles> => {
  try {
    return await openFiles(root);
  } catch (error) {
    if (error instanceof RootUnusable) throw new Rejection('catalog.path-unusable', error.message, root, { cause: error });
    throw error;
  }
};

/** The path within the catalog; people name it by itself, or behind the address of the catalog. */
const within = (root: string, given: string): string => {
  const path = given === root || given.startsWith(`${root}/`) ? given.slice(root.length) : given;
  const segments = path.split('/').filter((segment) => segment !== '');
  if (given.includes('\0') || segments.some((segment) => segment === '.' || segment === '..')) throw outside(given.replaceAll('\0', ''));
  if (segments.some(isIgnoredName)) throw outside(given, 'hidden files and folders are not part of a catalog');
  return segments.join('/');
};

/**
 * Finds the place in a catalog that is no folder of this machine. Links and `..` mean nothing there.
 * @throws Rejection `catalog.path-outside`, `catalog.path-unusable`, or `media.failed` for a file that is none of the catalog's
 */
export const locateRemoteFile = async (
  openFiles: OpenFiles,
  root: string,
  wanted: { readonly kind: 'file' | 'folder'; readonly path: string; readonly kindOf: KindOf },
): Promise<CatalogPath> => {
  const path = within(root, wanted.path);
  if (wanted.kind === 'file' && path === '') throw outside(wanted.path);
  if (wanted.kind === 'file' && wanted.kindOf(basename(path)) !== 'media')
    throw new Rejection('media.failed', 'the name has no suffix of a media file of this catalog', path);
  const files = await openElsewhere(openFiles, root);
  try {
    return { path, exists: path === '' || (await files.isThere(path)) };
  } finally {
    await files.close();
  }
};

/**
 * Reads the tags of a file that is not on a local disk.
 * @throws Rejection `catalog.path-unusable`, `media.not-found` or `media.failed`
 */
export const readRemoteTags = async (
  { openFiles, reader }: { readonly openFiles: OpenFiles; readonly reader: TagReader },
  root: string,
  song: { readonly folderPath: string; readonly fileName: string; readonly kindOf: KindOf },
): Promise<{ file: string; track: ScannedTrack }> => {
  const { folderPath, fileName, kindOf } = song;
  const path = folderPath === '' ? fileName : `${folderPath}/${fileName}`;
  const files = await openElsewhere(openFiles, root);
  try {
    const file = (await files.folder(folderPath, kindOf)).media.find(({ name }) => name === fileName);
    if (!file) throw new Rejection('media.not-found');
    const { sizeBytes, mtimeMs } = file;
    const request = { path: files.locationOf(path), fileName, folderPath, sizeBytes, mtimeMs, lyricsPaths: [] };
    const read = await (files.tags ?? reader).readTrack(request);
    if (!read.ok) throw new Rejection(read.reason === 'vanished' ? 'media.not-found' : 'media.failed', read.message, path);
    return { file: `${root}/${path}`, track: read.track };
  } finally {
    await files.close();
  }
};
