import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the cache. */
export interface CacheFile {
  readonly key: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly usedAtMs: number;
}

const FOLDER = /^[0-9a-f]{2}$/;
const KEY = /^[0-9a-f]{64}$/;

/** All finished files in a cache's folder. Whatever vanishes meanwhile is left out; other workers may throw things away too. */
export const filesIn = async (folder: string): Promise<CacheFile[]> => {
  const files: CacheFile[] = [];
  for (const name of await namesIn(folder)) {
    if (!FOLDER.test(name)) continue;
    for (const key of await namesIn(join(folder, name))) {
      const path = join(folder, name, key);
      const stats = KEY.test(key) ? await stat(path).catch(() => undefined) : undefined;
      if (stats?.isFile()) files.push({ key, path, sizeBytes: stats.size, usedAtMs: stats.mtimeMs });
    }
  }
  return files;
};

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
};

/** Total size of files, bytes. */
export const totalBytes = (files: readonly CacheFile[]): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** The files that were not used for longest, enough of them to give `bytes` back, without those that are `held`. */
export const leastRecentlyUsed = (files: readonly CacheFile[], bytes: number, held: (file: CacheFile) => boolean): CacheFile[] => {
  const chosen: CacheFile[] = [];
  let freed = 0;
  for (const file of files.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (freed >= bytes) break;
    if (held(file)) continue;
    chosen.push(file);
    freed += file.sizeBytes;
  }
  return chosen;
};
