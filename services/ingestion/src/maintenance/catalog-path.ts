import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Rejection } from '@continuo/contracts';
import { isInside } from '@continuo/media-store';
import { IGNORE_MARKER, isIgnoredName, type KindOf } from '../walk/file-kinds.js';
import { errorCode } from '../walk/list-folder.js';
import { openRoot, RootUnusable } from '../walk/walk.js';

/** A file or folder of a catalog, as the library writes its path. */
export interface CatalogPath {
  /** Relative to the catalog's root, `/` between segments; empty for the root. */
  readonly path: string;
  readonly exists: boolean;
}

const GONE = new Set(['ENOENT', 'ENOTDIR']);

const outside = (path: string, why?: string): Rejection => new Rejection('catalog.path-outside', why, path.slice(0, 1000));

/** The root of a catalog. @throws Rejection `catalog.path-unusable` when the disk is not there */
export const catalogRoot = async (root: string): Promise<string> => {
  try {
    return (await openRoot(root)).realRoot;
  } catch (error) {
    if (error instanceof RootUnusable) throw new Rejection('catalog.path-unusable', error.message, root, { cause: error });
    throw error;
  }
};

/** The real path of what is there, with the rest of the path behind it: links are resolved as far as anything exists. */
const realAsFarAsItGoes = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (!GONE.has(errorCode(error))) throw outside(path, `the path cannot be looked at (${errorCode(error)})`);
    const above = dirname(path);
    return above === path ? path : join(await realAsFarAsItGoes(above), basename(path));
  }
};

const holds = (realRoot: string, path: string): boolean => path === realRoot || isInside(realRoot, path);

const isHidden = (path: string): boolean => path.split(sep).some((segment) => segment !== '' && isIgnoredName(segment));

/** Path of a folder as the walk reports it: its real path, except where a link makes a hidden place visible. */
const walkedPath = (realRoot: string, given: string, real: string): string => {
  const path = relative(realRoot, real);
  if (!isHidden(path)) return path;
  const asGiven = relative(realRoot, given);
  if (!holds(realRoot, given) || isHidden(asGiven)) throw outside(given, 'hidden files and folders are not part of a catalog');
  return asGiven;
};

/**
 * Finds the place in a catalog that a person names by an absolute path or one relative to the root. The real path decides, segment by segment: neither `..` nor
 * a link leads out, and `/music2` is not inside `/music`.
 * @throws Rejection `catalog.path-outside`, `catalog.path-unusable` or `input.invalid`
 */
export const pathInCatalog = async (root: string, kind: 'file' | 'folder', given: string): Promise<CatalogPath> => {
  if (given.includes('\0')) throw outside(given.replaceAll('\0', ''), 'the path holds a NUL');
  const realRoot = await catalogRoot(root);
  const absolute = resolve(realRoot, given);
  // A file that is a link keeps its own name: it is a song of its own. Its folder is what has to be resolved.
  const folder = kind === 'file' ? dirname(absolute) : absolute;
  const realFolder = await realAsFarAsItGoes(folder);
  const isThere = holds(realRoot, realFolder) && holds(realRoot, await realAsFarAsItGoes(absolute));
  if (!isThere || (kind === 'file' && absolute === realRoot)) throw outside(given);
  const path = walkedPath(realRoot, folder, realFolder);
  if (kind === 'folder') return { path, exists: await isOfKind(join(realRoot, path), kind) };
  const name = basename(absolute);
  if (isIgnoredName(name)) throw outside(given, 'hidden files and folders are not part of a catalog');
  return { path: path === '' ? name : `${path}/${name}`, exists: await isOfKind(join(realRoot, path, name), kind) };
};

const isOfKind = async (path: string, kind: 'file' | 'folder'): Promise<boolean> => {
  try {
    const isFolder = (await lstat(path)).isDirectory();
    if (kind === 'file' && isFolder) throw new Rejection('input.invalid', 'this is a folder, not a file', 'file');
    return kind === 'file' || isFolder || (await lstat(await realpath(path))).isDirectory();
  } catch (error) {
    if (error instanceof Rejection) throw error;
    return !GONE.has(errorCode(error));
  }
};

/**
 * Refuses to take in what a scan would not look at, so that the next one does not throw it out again.
 * @throws Rejection `media.failed`, or `catalog.path-outside` for a folder that a marker keeps out
 */
export const requireWalkable = async (
  realRoot: string,
  { kind, path, kindOf }: { readonly kind: 'file' | 'folder'; readonly path: string; readonly kindOf: KindOf },
): Promise<void> => {
  if (kind === 'file' && kindOf(basename(path)) !== 'media')
    throw new Rejection('media.failed', 'the name has no suffix of a media file of this catalog', path);
  const segments = path === '' ? [] : path.split('/');
  const folders = kind === 'file' ? segments.slice(0, -1) : segments;
  for (let depth = 0; depth <= folders.length; depth += 1) {
    const marker = join(realRoot, ...folders.slice(0, depth), IGNORE_MARKER);
    const marked = await lstat(marker).then(
      () => true,
      () => false,
    );
    if (marked) throw outside(path, `a file ${IGNORE_MARKER} keeps this folder out of the library`);
  }
};
