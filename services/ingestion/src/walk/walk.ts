import { lstatSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Slice } from '@continuo/chassis';
import type { SkippedFile } from '@continuo/contracts';
import type { DiskPace } from '../disk-pace.js';
import type { KindOf } from './file-kinds.js';
import { errorCode, inodeKey, listFolder, type Listing } from './list-folder.js';
import { LocalDisks } from './local-disks.js';
import { isLonger, MAX_PATH_BYTES } from './names.js';
import type { DiskFile, WalkedFolder } from './walked-folder.js';

/** Folders that are listed at the same time. */
const FOLDERS_AT_ONCE = 16;

/** The inodes above a folder, for finding loops that are no links (bind mounts). */
interface Lineage {
  readonly key: string;
  readonly above: Lineage | undefined;
}

interface Pending {
  readonly path: string;
  readonly parentPictures: readonly DiskFile[];
  readonly lineage: Lineage | undefined;
  /** False when a link lies on the way. */
  readonly isReal: boolean;
  /** Pace of the disk that the folder lies on, where that is known before it is looked at. */
  readonly pace?: DiskPace | undefined;
}

interface Visit {
  readonly folder: WalkedFolder;
  readonly below: readonly Pending[];
}

/** The root cannot be walked, so nothing can be said about what is in it. */
export class RootUnusable extends Error {
  override readonly name = 'RootUnusable';
}

/** Where a walk begins, and what ends it early. */
export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Folder relative to the root; the whole catalog without it. */
  readonly from?: string;
  /** Classifies files; default: sound files and their companions. */
  readonly kindOf?: KindOf | undefined;
}

/** Resolves the root. @throws RootUnusable with a sentence for the operator */
export const openRoot = async (root: string): Promise<{ realRoot: string; key: string }> => {
  try {
    const realRoot = await realpath(root);
    const stats = await stat(realRoot);
    if (!stats.isDirectory()) throw new RootUnusable(`${root} is not a folder`);
    return { realRoot, key: inodeKey(stats) };
  } catch (error) {
    if (error instanceof RootUnusable) throw error;
    throw unreadableRoot(root, error);
  }
};

const unreadableRoot = (root: string, error: unknown): RootUnusable => {
  const code = errorCode(error);
  const hint = code === 'EACCES' || code === 'EPERM' ? `may user id ${process.getuid?.()} read it?` : 'is the disk there?';
  return new RootUnusable(`${root} cannot be read (${code}); ${hint}`, { cause: error });
};

/**
 * Walks a catalog folder by folder, parents before their children, in the same order each time. Memory is bounded by the largest folder and
 * by the names of folders that still wait. Problems with single entries are part of the result.
 * @throws RootUnusable when the root cannot be read
 */
export async function* walkCatalog(root: string, { signal, from = '', kindOf }: WalkOptions = {}): AsyncGenerator<WalkedFolder> {
  const { realRoot } = await openRoot(root);
  const walk: Walk = { realRoot, followed: new Set(), kindOf, disks: new LocalDisks() };
  const slice = new Slice();
  const stack: Pending[] = [await pendingAt(realRoot, from, kindOf)];
  while (stack.length > 0) {
    signal?.throwIfAborted();
    const visiting: Promise<Visit>[] = [];
    for (const pending of stack.splice(-FOLDERS_AT_ONCE).toReversed()) {
      if (slice.isOver) await slice.next();
      const one = visit(pending, walk);
      visiting.push(one);
      // A fast disk is asked in this thread: others go on between two folders.
      if (pending.pace && !pending.pace.isSlow) await one;
    }
    const visits = await Promise.all(visiting);
    for (const { below } of visits.toReversed()) for (const next of below.toReversed()) stack.push(next);
    for (const { folder } of visits) yield folder;
  }
}

/** One folder of a catalog without those below it. @throws RootUnusable when the root cannot be read */
export const walkFolder = async (realRoot: string, path: string, kindOf?: KindOf): Promise<WalkedFolder> =>
  (await visit(await pendingAt(realRoot, path, kindOf), { realRoot, followed: new Set(), kindOf, disks: new LocalDisks() })).folder;

/** A folder in the middle of a catalog: the pictures above it stand for the album when it holds one disc. */
const pendingAt = async (realRoot: string, path: string, kindOf?: KindOf): Promise<Pending> => {
  if (path === '') return { path, parentPictures: [], lineage: undefined, isReal: true };
  const absolute = join(realRoot, path);
  const isReal = await realpath(absolute).then(
    (real) => real === absolute,
    () => false,
  );
  const above = join(absolute, '..');
  // A parent that cannot be listed has no pictures for anybody; about the folder itself the visit decides.
  const pictures = await listFolder(realRoot, above, { kindOf }).then(
    ({ files }) => files.picture,
    () => [],
  );
  return { path, parentPictures: pictures, lineage: undefined, isReal };
};

/** Context of one walk. */
interface Walk {
  readonly realRoot: string;
  readonly followed: Set<string>;
  readonly kindOf: KindOf | undefined;
  readonly disks: LocalDisks;
}

const visit = async (pending: Pending, { realRoot, followed, kindOf, disks }: Walk): Promise<Visit> => {
  const absolute = join(realRoot, pending.path);
  try {
    const { stats, pace } = await look(pending, absolute, disks);
    const lineage: Lineage = { key: inodeKey(stats), above: pending.lineage };
    if (isAbove(pending.lineage, lineage.key)) return unusable(pending, 'the folder contains itself');
    const listing = await listFolder(realRoot, absolute, { kindOf, pace });
    // A marked folder counts as absent: what the library knows of it goes.
    if (listing.ignored) return { folder: empty(pending, 'vanished'), below: [] };
    const paceOf = (path: string): DiskPace | undefined => (disks.mayBeMountPoint(join(realRoot, path)) ? undefined : pace);
    return listed(pending, listing, lineage, { followed, paceOf });
  } catch (error) {
    const code = errorCode(error);
    if (pending.path === '') throw unreadableRoot(realRoot, error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return gone(pending);
    return unusable(
      pending,
      code === 'ENAMETOOLONG' ? 'the whole path is longer than the system takes' : `the folder cannot be read (${code})`,
    );
  }
};

/** Looks at a folder in this thread where it lies on a fast disk of this machine for certain. */
const look = async (pending: Pending, absolute: string, disks: LocalDisks) => {
  const { pace } = pending;
  if (pace?.isFast()) {
    const stats = pace.timed(() => lstatSync(absolute));
    if (!stats.isSymbolicLink()) return { stats, pace };
  }
  const stats = await (pending.path === '' ? stat : lstatOrStat)(absolute);
  return { stats, pace: await disks.paceOf(stats.dev, absolute) };
};

/** A followed link is asked for its target, everything else for itself. */
const lstatOrStat = async (path: string) => {
  const stats = await lstat(path);
  return stats.isSymbolicLink() ? stat(path) : stats;
};

const isAbove = (lineage: Lineage | undefined, key: string): boolean => {
  for (let at = lineage; at !== undefined; at = at.above) if (at.key === key) return true;
  return false;
};

const empty = (pending: Pending, state: WalkedFolder['state']): WalkedFolder => ({
  path: pending.path,
  state,
  media: [],
  pictures: [],
  lyrics: [],
  playlists: [],
  skipped: [],
  notices: [],
  parentPictures: pending.parentPictures,
});

const unusable = (pending: Pending, message: string): Visit => {
  const skipped: SkippedFile = { fileName: '.', sizeBytes: 0, mtimeMs: 0, reason: 'unreadable', message };
  return { folder: { ...empty(pending, 'unreadable'), skipped: [skipped] }, below: [] };
};

const gone = (pending: Pending): Visit => {
  const notice = { fileName: '.', reason: 'vanished', message: 'the folder went away during the scan' } as const;
  return { folder: { ...empty(pending, 'vanished'), notices: [notice] }, below: [] };
};

interface Below {
  /** Folders that links were followed to. */
  readonly followed: Set<string>;
  /** Pace of the disk of a folder below, where it is known. */
  readonly paceOf: (path: string) => DiskPace | undefined;
}

const listed = (pending: Pending, listing: Listing, lineage: Lineage, { followed, paceOf }: Below): Visit => {
  const skipped = [...listing.skipped];
  const below: Pending[] = [];
  for (const { name, linkedTo } of listing.subfolders) {
    const path = pending.path === '' ? name : `${pending.path}/${name}`;
    if (isLonger(path, MAX_PATH_BYTES))
      skipped.push({
        fileName: name,
        sizeBytes: 0,
        mtimeMs: 0,
        reason: 'name-too-long',
        message: `the path has more than ${MAX_PATH_BYTES} bytes`,
      });
    else if (linkedTo !== undefined && followed.has(linkedTo)) {
      skipped.push({
        fileName: name,
        sizeBytes: 0,
        mtimeMs: 0,
        reason: 'unreadable',
        message: 'another link to the same folder is followed already',
      });
    } else {
      const isReal = pending.isReal && linkedTo === undefined;
      below.push({ path, parentPictures: listing.files.picture, lineage, isReal, pace: isReal ? paceOf(path) : undefined });
    }
    if (linkedTo !== undefined) followed.add(linkedTo);
  }
  const { media, picture: pictures, lyrics, playlist: playlists } = listing.files;
  return {
    folder: { ...empty(pending, 'listed'), media, pictures, lyrics, playlists, skipped, notices: listing.notices, unsure: listing.unsure },
    below,
  };
};
