import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, lstat, mkdir, readdir, realpath, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Rejection, UPLOAD_FOLDER } from '@continuo/contracts';
import { isInside, syncFolder } from '@continuo/media-store';
import { errorCode, inodeKey } from '../walk/list-folder.js';

/** Age at which a staged upload counts as abandoned, ms. */
const LEFT_OVER_MS = 24 * 3_600_000;
const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** Systems that do not know two names for one file. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV']);

/** A refusal of what was uploaded: the file is of no use here. */
export const refused = (message: string): Rejection => new Rejection('upload.refused', message);

/** Maps a disk error to a rejection for the uploader. */
export const asStorageFault = (error: unknown, what: string): unknown => {
  const code = errorCode(error);
  if (error instanceof Rejection || code === 'unknown') return error;
  if (FULL.has(code)) return new Rejection('storage.full', undefined, undefined, { cause: error });
  return new Rejection('media.failed', `${what} (${code})`, undefined, { cause: error });
};

const folderOf = async (realRoot: string, path: string): Promise<string> => {
  const real = await realpath(path);
  if (!isInside(realRoot, real) || !(await stat(real)).isDirectory())
    throw refused('its folder would lie outside of the catalog, or is a file');
  return real;
};

/**
 * Makes a folder of a catalog with those above it, one by one: a link among them must not lead out.
 * @throws Rejection `upload.refused` when it would, or the error of the file system
 */
export const makeFolder = async (realRoot: string, path: string): Promise<string> => {
  let at = realRoot;
  for (const segment of path.split('/').filter((part) => part !== '')) {
    const next = join(at, segment);
    await mkdir(next).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    at = await folderOf(realRoot, next);
  }
  return at;
};

const sha256 = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** True for two names of one file, or two files of the same bytes; false when one is not there. */
export const isSameFile = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)));
  if (!left?.isFile() || !right?.isFile() || left.size !== right.size) return false;
  return inodeKey(left) === inodeKey(right) || (await sha256(a)) === (await sha256(b));
};

/**
 * Gives a waiting file its name in the catalog, durably, and never takes the name of another file away. The waiting name stays. A file that has the name
 * already and is this very one is fine: somebody was interrupted here.
 * @returns true when the name is a new one
 * @throws Rejection `upload.refused` when another file has the name
 */
export const giveName = async (staged: string, folder: string, name: string): Promise<boolean> => {
  const path = join(folder, name);
  try {
    await link(staged, path);
  } catch (error) {
    if (WITHOUT_LINKS.has(errorCode(error))) return copyName(staged, folder, name);
    if (errorCode(error) !== 'EEXIST') throw error;
    if (!(await isSameFile(staged, path))) throw refused(`there is another file called ${name} already`);
    await syncFolder(folder);
    return false;
  }
  await syncFolder(folder);
  return true;
};

const copyName = async (staged: string, folder: string, name: string): Promise<boolean> => {
  const path = join(folder, name);
  try {
    await copyFile(staged, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      if (await isSameFile(staged, path)) return false;
      throw refused(`there is another file called ${name} already`);
    }
    // Half a file must not be met by a scan.
    await unlink(path).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
  return true;
};

/** Deletes what waits for so long that nobody will come for it: its gateway or worker died. */
export const sweepLeftOvers = async (realRoot: string, nowMs: number): Promise<number> => {
  const folder = join(realRoot, UPLOAD_FOLDER);
  let swept = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isFile() || nowMs - Math.max(stats.mtimeMs, stats.ctimeMs) < LEFT_OVER_MS) continue;
    const isGone = await unlink(path).then(
      () => true,
      // Files already swept by another worker, or not deletable, are met again with the next upload.
      () => false,
    );
    if (isGone) swept += 1;
  }
  return swept;
};
