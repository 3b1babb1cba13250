import { readdir } from 'node:fs/promises';
import { isElsewhere, type FileToRead, type FolderPlan, type ScannedCatalog } from '@continuo/contracts';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import { videoFileKind } from '../video/video-files.js';
import { fileKind, isIgnoredName, type KindOf } from '../walk/file-kinds.js';
import type { WalkOptions } from '../walk/walk.js';
import type { WalkedFolder } from '../walk/walked-folder.js';

/** Folders and files of one comparison with the read model. */
const FOLDERS_PER_BATCH = 512;
const FILES_PER_BATCH = 8000;

/** True for a folder of this machine without any visible entry: a place where something is mounted at other times. */
export const isBareFolder = async (root: string): Promise<boolean> =>
  !isElsewhere(root) && (await readdir(root)).every((name) => isIgnoredName(name));

/** Chooses the file classifier by the media of a catalog. */
export const kindOfFiles = ({ gathers }: ScannedCatalog): KindOf => {
  // Files in a podcast catalog are downloads of its episodes.
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

/** The result of a step, or its failure, which is told when its turn comes. */
type Step<T> = { readonly result: IteratorResult<T> } | { readonly error: unknown };

/** The same, one step ahead: the next part is under way while the last one is worked on. Ends the source when its reader stops early. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const step = (): Promise<Step<T>> =>
    iterator.next().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
  let next = step();
  try {
    for (;;) {
      const taken = await next;
      if ('error' in taken) throw taken.error;
      if (taken.result.done) return;
      next = step();
      yield taken.result.value;
    }
  } finally {
    await next;
    await iterator.return?.();
  }
}
