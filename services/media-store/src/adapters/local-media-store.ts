import { close, constants, fstat, open, type Stats } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Rejection } from '@continuo/contracts';
import type { LocatedFile, MediaStat, MediaStore, OpenMedia } from '../media-store.js';
import { FileBytes, readAtOnce } from './file-bytes.js';

const notFound = (cause?: unknown): Rejection => new Rejection('media.not-found', undefined, undefined, { cause });

/** True when a real path lies inside a real folder, compared segment by segment: `/music2` is not inside `/music`. */
export const isInside = (realFolder: string, realPath: string): boolean =>
  realPath.startsWith(realFolder.endsWith(sep) ? realFolder : `${realFolder}${sep}`);

const realPathOf = async (root: string, path: string): Promise<string> => {
  if (path === '' || path.includes('\0') || isAbsolute(path)) throw notFound();
  const [folder, file] = await Promise.all([realpath(root), realpath(join(root, path))]);
  if (!isInside(folder, file)) throw notFound();
  return file;
};

// Plain descriptors: a stream over a `FileHandle` pays for a promise with every piece that it reads.
const openFile = promisify(open);
const closeFile = promisify(close);
const statFile = promisify<number, Stats>(fstat);

/**
 * Opens a regular file for reading. The path is real already, so that a symbolic link in its place was put there since; and a named pipe must not
 * make the open wait for a writer.
 */
const openRegular = async (path: string): Promise<{ descriptor: number; stats: Stats }> => {
  const descriptor = await openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await statFile(descriptor);
    if (!stats.isFile()) throw notFound();
    return { descriptor, stats };
  } catch (error) {
    await closeFile(descriptor);
    throw error;
  }
};

const asNotFound = (error: unknown): Rejection => (error instanceof Rejection ? error : notFound(error));

const openInside = async (root: string, path: string): Promise<{ descriptor: number; stats: Stats; realPath: string }> => {
  try {
    const realPath = await realPathOf(root, path);
    return { ...(await openRegular(realPath)), realPath };
  } catch (error) {
    throw asNotFound(error);
  }
};

/** Most names of one folder. */
const MAX_NAMES = 20_000;

/** The folder must lie in the root, or be it. */
const namesIn = async (root: string, folder: string): Promise<string[]> => {
  if (folder.includes('\0') || isAbsolute(folder)) throw notFound();
  const [realRoot, real] = await Promise.all([realpath(root), realpath(join(root, folder))]);
  if (real !== realRoot && !isInside(realRoot, real)) throw notFound();
  const names: string[] = [];
  for await (const { name } of await opendir(real)) if (names.push(name) >= MAX_NAMES) break;
  return names.toSorted();
};

/**
 * Media files in folders of this machine. Every read resolves the real path first and then checks that it lies inside the real root, so that
 * neither `..` nor a symbolic link leads out of a catalog; only regular files are served.
 */
export const localMediaStore = (): MediaStore => ({
  async stat(root: string, path: string): Promise<MediaStat> {
    const { descriptor, stats } = await openInside(root, path);
    await closeFile(descriptor);
    return { sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  },
  async locate(root: string, path: string): Promise<LocatedFile> {
    const { descriptor, stats, realPath } = await openInside(root, path);
    await closeFile(descriptor);
    return { realPath, sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  },
  async openFile(root: string, path: string): Promise<OpenMedia> {
    const { descriptor, stats } = await openInside(root, path);
    return {
      sizeBytes: stats.size,
      mtimeMs: stats.mtimeMs,
      read: async (range) => (range && (await readAtOnce(descriptor, range))) ?? new FileBytes(descriptor, range),
      close: () => closeFile(descriptor),
    };
  },
  async open(root: string, path: string, range?: { start: number; end: number }): Promise<Readable> {
    const { descriptor } = await openInside(root, path);
    return new FileBytes(descriptor, range);
  },
  async namesBeside(root: string, path: string): Promise<string[]> {
    try {
      return await namesIn(root, dirname(path));
    } catch (error) {
      throw asNotFound(error);
    }
  },
});
