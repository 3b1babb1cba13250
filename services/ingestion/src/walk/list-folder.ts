import { readdirSync, statSync, type Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { SkippedFile } from '@continuo/contracts';
import type { DiskPace } from '../disk-pace.js';
import { fileKind, IGNORE_MARKER, isIgnoredName, type FileKind, type KindOf } from './file-kinds.js';
import { decodeName, isLonger, MAX_NAME_BYTES, printableName, shortName } from './names.js';
import type { DiskFile, WalkedFolder } from './walked-folder.js';

/** Files of one folder whose state is asked for at the same time. */
const STATS_AT_ONCE = 128;

/** Error codes of links that are broken for good; other errors may pass. */
const LEADS_NOWHERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** A subfolder to walk into. */
export interface Subfolder {
  readonly name: string;
  /** Device and inode of the folder that a followed link leads to. */
  readonly linkedTo?: string;
}

/** The content of one folder. */
export interface Listing {
  readonly files: Readonly<Record<FileKind, DiskFile[]>>;
  readonly subfolders: readonly Subfolder[];
  readonly skipped: readonly SkippedFile[];
  readonly notices: WalkedFolder['notices'];
  /** Names among the skipped ones that may be what they were: nothing can be said of them at the moment. */
  readonly unsure: ReadonlySet<string>;
  /** True when a marker keeps the folder out of the library. */
  readonly ignored: boolean;
}

/** Identity of a file or folder on this machine. */
export const inodeKey = (stats: { dev: number; ino: number }): string => `${stats.dev}:${stats.ino}`;

export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/** Options of listing a folder. */
export interface ListOptions {
  /** Tells the kind of a file by its name; by default that of music catalogs. */
  readonly kindOf?: KindOf | undefined;
  /** Pace of a local disk, which may be asked in this thread. */
  readonly pace?: DiskPace | undefined;
}

interface Draft {
  readonly files: Record<FileKind, DiskFile[]>;
  readonly subfolders: Subfolder[];
  readonly skipped: SkippedFile[];
  readonly notices: WalkedFolder['notices'][number][];
  readonly unsure: Set<string>;
}

const skip = (fileName: string, reason: SkippedFile['reason'], message: string): SkippedFile => ({
  fileName: shortName(fileName),
  sizeBytes: 0,
  mtimeMs: 0,
  reason,
  message,
});

/**
 * Lists one folder and asks for the state of those files only that the library can use.
 * @throws the file system's error when the folder itself cannot be read
 */
export const listFolder = async (rootReal: string, absolute: string, { kindOf = fileKind, pace }: ListOptions = {}): Promise<Listing> => {
  const draft: Draft = {
    files: { media: [], picture: [], lyrics: [], playlist: [] },
    subfolders: [],
    skipped: [],
    notices: [],
    unsure: new Set(),
  };
  const entries = await readEntries(absolute, draft, pace);
  if (entries.some((entry) => entry.name === IGNORE_MARKER)) {
    return {
      files: { media: [], picture: [], lyrics: [], playlist: [] },
      subfolders: [],
      skipped: [],
      notices: [],
      unsure: new Set(),
      ignored: true,
    };
  }
  const visible = entries.filter((entry) => !isIgnoredName(entry.name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (let at = 0; at < visible.length; at += STATS_AT_ONCE) {
    const batch = visible.slice(at, at + STATS_AT_ONCE);
    const look = (isQuick: boolean) => batch.map((entry) => inspect(entry, { rootReal, folder: absolute, kindOf, isQuick }));
    const results = pace?.isFast() ? pace.timed(() => look(true)) : look(false);
    for (const add of results) (add instanceof Promise ? await add : add)?.(draft);
  }
  return { ...draft, ignored: false };
};

/** Names that are not UTF-8 show as replacement characters in the quick form; only then is the folder read again as bytes. */
const readEntries = async (absolute: string, draft: Draft, pace: DiskPace | undefined): Promise<Dirent[]> => {
  const options = { withFileTypes: true } as const;
  const entries = pace?.isFast() ? pace.timed(() => readdirSync(absolute, options)) : await readdir(absolute, options);
  if (!entries.some((entry) => entry.name.includes('\ufffd'))) return entries;
  const names = await readdir(absolute, { encoding: 'buffer' });
  const valid = new Set<string>();
  for (const name of names) {
    const text = decodeName(name);
    if (text !== undefined) valid.add(text);
    else draft.skipped.push(skip(printableName(name), 'name-not-utf8', 'the name is not UTF-8; rename the file or folder'));
  }
  return entries.filter((entry) => valid.has(entry.name));
};

/** Where a listing looks, and what it takes files for. */
interface Looking {
  readonly rootReal: string;
  readonly folder: string;
  readonly kindOf: KindOf;
  /** True when plain files are asked for in this thread. */
  readonly isQuick: boolean;
}

type Finding = ((draft: Draft) => void) | undefined;

/** Looks at one entry; what it adds to the listing is applied later, in order of name. */
const inspect = (entry: Dirent, looking: Looking): Finding | Promise<Finding> => {
  const path = `${looking.folder}${sep}${entry.name}`;
  if (isLonger(entry.name, MAX_NAME_BYTES)) return skipping(entry.name, 'name-too-long', `the name has more than ${MAX_NAME_BYTES} bytes`);
  if (entry.isDirectory()) return (draft) => draft.subfolders.push({ name: entry.name });
  return looking.isQuick && entry.isFile() ? quickFile(entry.name, path, looking.kindOf) : slowEntry(entry, path, looking);
};

const quickFile = (name: string, path: string, kindOf: KindOf): Finding => {
  const kind = kindOf(name);
  if (kind === undefined) return undefined;
  try {
    return fileFinding(name, kind, statSync(path));
  } catch (error) {
    return failed(name, error);
  }
};

const slowEntry = async (entry: Dirent, path: string, looking: Looking): Promise<Finding> => {
  try {
    if (entry.isFile()) return await plainFile(entry.name, path, looking.kindOf);
    if (entry.isSymbolicLink()) return await link(entry.name, path, looking);
    return await otherKind(entry, path, looking.kindOf);
  } catch (error) {
    return failed(entry.name, error);
  }
};

const skipping =
  (fileName: string, reason: SkippedFile['reason'], message: string): Finding =>
  (draft) =>
    draft.skipped.push(skip(fileName, reason, message));

const failed = (fileName: string, error: unknown): Finding => {
  const code = errorCode(error);
  if (code === 'ENOENT') return (draft) => draft.notices.push({ fileName, reason: 'vanished', message: 'it went away during the scan' });
  if (code === 'ENAMETOOLONG') return skipping(fileName, 'name-too-long', 'the whole path is longer than the system takes');
  return unsure(fileName, `it cannot be looked at (${code})`);
};

/** Left out, but not taken for something else than before. */
const unsure =
  (fileName: string, message: string): Finding =>
  (draft) => {
    draft.skipped.push(skip(fileName, 'unreadable', message));
    draft.unsure.add(fileName);
  };

const plainFile = async (name: string, path: string, kindOf: KindOf): Promise<Finding> => {
  const kind = kindOf(name);
  if (kind === undefined) return undefined;
  return fileFinding(name, kind, await stat(path));
};

const fileFinding =
  (name: string, kind: FileKind, { size, mtimeMs }: { size: number; mtimeMs: number }): Finding =>
  (draft) =>
    draft.files[kind].push({ name, sizeBytes: size, mtimeMs: Math.max(0, Math.trunc(mtimeMs)) });

/** Some file systems do not tell kinds in listings; pipes and devices must never be opened. */
const otherKind = async (entry: Dirent, path: string, kindOf: KindOf): Promise<Finding> => {
  const stats = await lstat(path);
  if (stats.isDirectory()) return (draft) => draft.subfolders.push({ name: entry.name });
  if (stats.isFile()) return plainFile(entry.name, path, kindOf);
  return skipping(entry.name, 'not-media', 'it is a pipe, socket or device, not a file');
};

/**
 * Links are resolved and must stay inside the catalog. A linked folder that the walk reaches anyway is not walked twice; one that lies in a
 * hidden place is followed.
 */
const link = async (name: string, path: string, { rootReal, folder, kindOf }: Looking): Promise<Finding> => {
  const target = await realpath(path).catch((error: unknown) => errorCode(error));
  if (!target.includes(sep) && !LEADS_NOWHERE.has(target)) return unsure(name, `the link cannot be followed (${target})`);
  if (!target.includes(sep))
    return skipping(name, 'unreadable', target === 'ELOOP' ? 'the link leads in a circle' : `the link leads nowhere (${target})`);
  const inside = relative(rootReal, target);
  if (inside === '..' || inside.startsWith(`..${sep}`)) return skipping(name, 'unreadable', 'the link leads out of the catalog');
  const stats = await stat(target);
  if (stats.isFile()) return plainFile(name, path, kindOf);
  if (!stats.isDirectory()) return skipping(name, 'not-media', 'it is a pipe, socket or device, not a file');
  if (`${folder}${sep}`.startsWith(`${target}${sep}`))
    return skipping(name, 'unreadable', 'the link leads back to a folder that contains it');
  if (!inside.split(sep).some(isIgnoredName))
    return skipping(name, 'unreadable', `the linked folder is in the catalog already, as ${inside}`);
  return (draft) => draft.subfolders.push({ name, linkedTo: inodeKey(stats) });
};
