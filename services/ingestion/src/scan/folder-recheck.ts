import type { CatalogId, FolderId, ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import type { IdSet } from './id-set.js';
import { presentFolders } from './known-folders.reads.js';

/** Dependencies of {@link foldersToRecheck}. */
export interface FolderRecheckDependencies {
  readonly db: Kysely<ReadModel>;
  readonly catalogId: CatalogId;
  readonly files: Pick<CatalogFiles, 'folderChangedAt'>;
  readonly signal: AbortSignal;
  /** Tries a read again while the database restarts. */
  readonly retryTransient: <T>(read: () => Promise<T>) => Promise<T>;
}

/** Result of the walk before the recheck. */
export interface FirstWalk {
  /** When it began, epoch milliseconds. */
  readonly beganAt: number;
  readonly seen: IdSet;
  /** Folders with known files that were not met. */
  readonly withMissing: readonly FolderId[];
}

const FOLDERS_PER_PAGE = 500;
const LOOKS_AT_ONCE = 64;
/** File systems keep times more coarsely than clocks tell them, ms. */
const COARSE_MS = 2000;

type Page = readonly { readonly id: FolderId; readonly path: string }[];

/**
 * Folders that changed while a catalog was walked, none inside another; nothing where nothing is missing, or where folders have no times. What moves from a place that was
 * still to be walked to one that was walked already is missing, and not gone: it is found by walking these again. A folder costs a look at its times, no listing.
 */
export const foldersToRecheck = async (deps: FolderRecheckDependencies, first: FirstWalk): Promise<string[]> => {
  const { folderChangedAt } = deps.files;
  if (folderChangedAt === undefined || !(await isSomethingMissing(deps, first))) return [];
  const changed = async (path: string): Promise<boolean> => ((await folderChangedAt(path)) ?? 0) >= first.beganAt - COARSE_MS;
  // The root is no folder of the library where no song lies in it.
  const found: string[] = (await changed('')) ? [''] : [];
  for await (const page of pages(deps)) {
    for (let at = 0; at < page.length && found[0] !== ''; at += LOOKS_AT_ONCE) {
      const some = page.slice(at, at + LOOKS_AT_ONCE);
      const isChanged = await Promise.all(some.map(({ path }) => changed(path)));
      found.push(...some.filter((_, index) => isChanged[index]).map(({ path }) => path));
    }
  }
  return topsOf(found);
};

/** Paths without those inside of others. */
export const topsOf = (paths: Iterable<string>): string[] => {
  const tops: string[] = [];
  // In this order each comes right behind what it is in.
  const sorted = [...paths].toSorted((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
  if (sorted.includes('')) return [''];
  for (const path of sorted) if (!path.startsWith(`${tops.at(-1) ?? '/'}/`)) tops.push(path);
  return tops;
};

const isSomethingMissing = async (deps: FolderRecheckDependencies, { seen, withMissing }: FirstWalk): Promise<boolean> => {
  if (withMissing.length > 0) return true;
  for await (const page of pages(deps)) if (page.some(({ id, path }) => path !== '' && !seen.has(id))) return true;
  return false;
};

async function* pages({ db, catalogId, retryTransient, signal }: FolderRecheckDependencies): AsyncGenerator<Page> {
  for (let afterId = 0; ;) {
    signal.throwIfAborted();
    const page = await retryTransient(() => presentFolders(db, { catalogId, within: '', afterId, limit: FOLDERS_PER_PAGE }));
    yield page;
    if (page.length < FOLDERS_PER_PAGE) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}
