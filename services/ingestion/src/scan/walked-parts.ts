import { readdir } from 'node:fs/promises';
import { isElsewhere } from '@continuo/contracts';
import type { CatalogFiles } from '../place/catalog-files.js';
import { videoFileKind } from '../video/video-files.js';
import { fileKind, isIgnoredName, type KindOf } from '../walk/file-kinds.js';
import type { WalkOptions } from '../walk/walk.js';
import type { WalkedFolder } from '../walk/walked-folder.js';
import type { FileToRead, FolderPlan } from './folder-plan.js';
import type { ScannedCatalog } from './known-folders.reads.js';

/** Folders and files of one comparison with the read model. */
const FOLDERS_PER_BATCH = 256;
const FILES_PER_BATCH = 8000;

/** True for a folder of this machine without any visible entry: a place where something is mounted at other times. */
export const isBareFolder = async (root: string): Promise<boolean> =>
  !isElsewhere(root) && (await readdir(root)).every((name) => isIgnoredName(name));

/** What files are for in a catalog, by the kind of media that it holds. */
export const kindOfFiles = ({ gathers }: ScannedCatalog): KindOf => {
  // What lies in a catalog of podcasts was fetched, and belongs to its episodes.
  if (gathers === 'podcast') return () => undefined;
  return gathers === 'video' ? videoFileKind : fileKind;
};

/** Of the files that only matter as places of moved ones: those that look like a known one. */
export const likelyMoves = (plan: FolderPlan, isLikely: (file: FileToRead) => boolean): FolderPlan => ({
  ...plan,
  read: plan.read.filter(isLikely),
});

/** Folders one by one, without those below them. */
export async function* singleFolders(
  files: CatalogFiles,
  paths: Iterable<string>,
  { signal, kindOf }: WalkOptions & { readonly kindOf: KindOf },
): AsyncGenerator<WalkedFolder> {
  for (const path of paths) {
    signal?.throwIfAborted();
    yield await files.folder(path, kindOf);
  }
}

/** Gathers folders until there are enough of them, or enough files, for one comparison. */
export async function* inBatches(walk: AsyncIterable<WalkedFolder>): AsyncGenerator<WalkedFolder[]> {
  let batch: WalkedFolder[] = [];
  let files = 0;
  for await (const folder of walk) {
    batch.push(folder);
    files += folder.media.length;
    if (batch.length < FOLDERS_PER_BATCH && files < FILES_PER_BATCH) continue;
    yield batch;
    [batch, files] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
