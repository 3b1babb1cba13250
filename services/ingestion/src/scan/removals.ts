import { join } from 'node:path';
import type { FolderId, ReadModel, ScannedCatalog } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import { fileOfName } from '../tags/part-name.js';
import { NAMES_PER_COMMAND } from './folder-recorder.js';
import type { FolderSender } from './folder-sender.js';
import type { IdSet } from './id-set.js';
import { presentFolders, tracksOfFolders } from './known-folders.reads.js';

/** Folders seen by a finished walk. */
export interface WalkOutcome {
  readonly seen: IdSet;
  /** Folders with known tracks that were not met. */
  readonly withMissing: readonly FolderId[];
  /** Paths whose content is not known: nothing below them is taken for gone. */
  readonly unreadable: readonly string[];
  /** Paths that a marker keeps out of the library. */
  readonly excluded: readonly string[];
  /** The parts of the catalog that were walked: the empty path for all of it, none for single files, where no folder goes. */
  readonly within: readonly string[];
  /** The only files that may go, by folder path. */
  readonly only?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

export interface RemovalDependencies {
  readonly db: Kysely<ReadModel>;
  readonly catalog: ScannedCatalog;
  readonly files: Pick<CatalogFiles, 'isThere'>;
  readonly sender: FolderSender;
  readonly signal: AbortSignal;
  /** Tries a read again while the database restarts. */
  readonly retryTransient: <T>(read: () => Promise<T>) => Promise<T>;
  /** Has a last say, once entries were found to be gone. @throws RootUnusable when the root is not the one that was walked any more */
  readonly beforeRemoval: () => Promise<void>;
}

const FOLDERS_PER_PAGE = 500;
const LOOKS_AT_ONCE = 64;

const isWithin = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`));

/**
 * Records what is gone, after the whole catalog was walked: only then is it sure that a missing file did not just move. Every file and folder is
 * looked for once more right before, and the root too: a disk that went away during the scan must not empty the library.
 */
export const recordRemovals = async (deps: RemovalDependencies, walk: WalkOutcome): Promise<void> => {
  for (let at = 0; at < walk.withMissing.length; at += FOLDERS_PER_PAGE) {
    await removeTracks(deps, walk.withMissing.slice(at, at + FOLDERS_PER_PAGE), walk.only);
  }
  for (const part of walk.within) await removeUnseen(deps, walk, part);
};

/** Takes away the folders of a part that the walk has not met. */
const removeUnseen = async (deps: RemovalDependencies, walk: WalkOutcome, within: string): Promise<void> => {
  for (let afterId = 0; ;) {
    const page = await deps.retryTransient(() =>
      presentFolders(deps.db, { catalogId: deps.catalog.id, within, afterId, limit: FOLDERS_PER_PAGE }),
    );
    const unseen = page.filter(({ id, path }) => path !== '' && !walk.seen.has(id) && !isWithin(path, walk.unreadable));
    await removeFolders(
      deps,
      unseen.map(({ path }) => path),
      walk.excluded,
    );
    if (page.length < FOLDERS_PER_PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
};

const removeTracks = async (deps: RemovalDependencies, folderIds: readonly FolderId[], only: WalkOutcome['only']): Promise<void> => {
  for (const { path, names: known } of await deps.retryTransient(() => tracksOfFolders(deps.db, deps.catalog, folderIds))) {
    const names = only ? known.filter((name) => only.get(path)?.has(fileOfName(name))) : known;
    const gone = await absent(
      deps,
      names.map((name) => ({ name, path: join(path, fileOfName(name)) })),
    );
    if (gone.length > 0) await deps.beforeRemoval();
    for (let at = 0; at < gone.length; at += NAMES_PER_COMMAND) {
      const goneFiles = gone.slice(at, at + NAMES_PER_COMMAND).map(({ name }) => name);
      await deps.sender.sendGone({ path, goneFiles });
    }
  }
};

const removeFolders = async (deps: RemovalDependencies, paths: readonly string[], excluded: readonly string[]): Promise<void> => {
  const kept = paths.filter((path) => isWithin(path, excluded));
  const gone = await absent(
    deps,
    paths.filter((path) => !isWithin(path, excluded)).map((path) => ({ path })),
  );
  const vanished = [...kept, ...gone.map(({ path }) => path)].toSorted((a, b) => b.length - a.length);
  if (vanished.length > 0) await deps.beforeRemoval();
  for (const path of vanished) await deps.sender.sendGone({ path, vanished: true });
};

/** Those entries that are not on the disk, by looking again. */
const absent = async <T extends { path: string }>(deps: RemovalDependencies, entries: readonly T[]): Promise<T[]> => {
  const gone: T[] = [];
  for (let at = 0; at < entries.length; at += LOOKS_AT_ONCE) {
    deps.signal.throwIfAborted();
    const batch = entries.slice(at, at + LOOKS_AT_ONCE);
    const found = await Promise.all(batch.map((entry) => deps.files.isThere(entry.path)));
    gone.push(...batch.filter((_, index) => !found[index]));
  }
  return gone;
};
