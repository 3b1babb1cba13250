import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { SeededRandom } from '../random/seeded-random.js';
import { mediaFiles, type MediaFile } from './music.js';

/** Counts of files changed in a folder of media. */
export interface Alterations {
  moved: number;
  deleted: number;
  replaced: number;
}

/** A folder after it was altered. */
export interface Altered {
  readonly files: readonly MediaFile[];
  /** Where moved files were before, by their new path. */
  readonly origins: ReadonlyMap<string, string>;
  readonly done: Alterations;
}

const FOLDERS_MOVED = 0.15;
const DELETED = 0.05;
const REPLACED = 0.08;
const MOVED = 0.08;

/**
 * Changes a folder as people do between two scans: album folders and single files are moved, files are deleted, and files are replaced by
 * others with other tags under the same name.
 */
export const alter = async (root: string, random: SeededRandom): Promise<Altered> => {
  const origins = await moveFolders(root, random);
  const done: Alterations = { moved: 0, deleted: 0, replaced: 0 };
  const files: MediaFile[] = [];
  const present = (await mediaFiles(root)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const originals = new Set(present);
  for (const [index, file] of present.entries()) {
    const dice = random.next();
    const path = join(root, file.path);
    if (dice < DELETED) {
      await rm(path);
      done.deleted += 1;
      origins.delete(file.path);
    } else if (dice < DELETED + REPLACED && !origins.has(file.path)) {
      // Not where the folder has moved as well: a new place and other content that sounds like a third file's may be that one, moved and tagged anew, for all anybody can tell.
      const replaced = await replace(root, file, originals);
      files.push(replaced);
      originals.delete(file);
      done.replaced += replaced.isReplaced ? 1 : 0;
    } else if (dice < DELETED + REPLACED + MOVED) {
      const moved = await moveFile(root, file, `Gathered/${index}`);
      files.push(moved);
      origins.set(moved.path, origins.get(file.path) ?? file.path);
      origins.delete(file.path);
    } else files.push(file);
  }
  return { files, origins, done: { ...done, moved: origins.size } };
};

const moveFolders = async (root: string, random: SeededRandom): Promise<Map<string, string>> => {
  const origins = new Map<string, string>();
  for (const artist of (await readdir(root)).toSorted()) {
    for (const album of (await readdir(join(root, artist))).toSorted()) {
      if (!random.chance(FOLDERS_MOVED)) continue;
      const [from, to] = [`${artist}/${album}`, `${artist}/${album} again`];
      for (const file of await mediaFiles(join(root, from))) origins.set(`${to}/${file.path}`, `${from}/${file.path}`);
      await rename(join(root, from), join(root, to));
    }
  }
  return origins;
};

const moveFile = async (root: string, file: MediaFile, folder: string): Promise<MediaFile> => {
  const path = `${folder}/${file.path.slice(file.path.lastIndexOf('/') + 1)}`;
  await mkdir(join(root, folder), { recursive: true });
  await rename(join(root, file.path), join(root, path));
  return { ...file, path };
};

/** Puts the content of another file of the same kind, one that was not replaced itself, in a file's place; the hard link to the original is broken first. */
const replace = async (root: string, file: MediaFile, originals: ReadonlySet<MediaFile>): Promise<MediaFile> => {
  for (const other of originals) {
    if (other.path === file.path || extname(other.path) !== extname(file.path) || other.title === file.title) continue;
    const draft = join(root, dirname(file.path), 'draft.tmp');
    try {
      await copyFile(join(root, other.path), draft);
    } catch (error) {
      // Deleted or moved in this very alteration.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue;
      throw error;
    }
    await rename(draft, join(root, file.path));
    return { ...file, title: other.title, sizeBytes: (await stat(join(root, file.path))).size, isReplaced: true };
  }
  return file;
};
