import { isElsewhere, Rejection } from '@continuo/contracts';
import {
  type CatalogStorage,
  type FileStorage,
  isSongStorage,
  type LoopbackMedia,
  type StorageFile,
  StorageUnavailable,
} from '@continuo/media-store';
import { discOfFolder } from '../tags/file-name.js';
import type { ReadLimits } from '../tags/tag-reader.js';
import type { KindOf } from '../walk/file-kinds.js';
import { fileKind } from '../walk/file-kinds.js';
import type { WalkedFolder } from '../walk/walked-folder.js';
import { RootUnusable, type WalkOptions } from '../walk/walk.js';
import type { CatalogFiles, OpenFiles } from './catalog-files.js';
import { FolderAssembly } from './folder-assembly.js';
import { openLocalFiles } from './local-files.js';
import { RemoteTags } from './remote-tags.js';

/** Dependencies of {@link openStorageFiles}. */
export interface StorageFilesOptions {
  readonly storage: Pick<CatalogStorage, 'at'>;
  readonly loopback: Pick<LoopbackMedia, 'addresses'>;
  readonly pictures: Pick<ReadLimits, 'maxPictureBytes' | 'maxPicturePixels'>;
}

const unusable = (root: string, error: unknown): Error => {
  const isAway = error instanceof StorageUnavailable || (error instanceof Rejection && error.code === 'unavailable');
  return isAway ? new RootUnusable(`${root} cannot be read: ${error.message}; nothing was removed`, { cause: error }) : (error as Error);
};

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const isWithin = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

async function* assembled(files: AsyncIterable<StorageFile>, { signal, kindOf = fileKind }: WalkOptions): AsyncGenerator<WalkedFolder> {
  const assembly = new FolderAssembly(kindOf);
  for await (const file of files) {
    signal?.throwIfAborted();
    assembly.add(file);
    yield* assembly.take();
  }
  assembly.end();
  yield* assembly.take();
}

/** Walks a storage by its flat list of files. The picture of a disc may lie above the folder where a walk begins. */
async function* walkStorage(storage: FileStorage, root: string, options: WalkOptions): AsyncGenerator<WalkedFolder> {
  const { from = '', signal } = options;
  const below = discOfFolder(nameOf(from)) === undefined ? from : parentOf(from);
  const met = new Set<string>();
  try {
    for await (const folder of assembled(storage.list(below, signal), options)) {
      if (!isWithin(folder.path, from)) continue;
      if (folder.path === from || storage.folders) met.add(folder.path);
      yield folder;
    }
  } catch (error) {
    throw unusable(root, error);
  }
  // Missing songs of a fixed set are checked one by one; elsewhere a folder without files does not exist.
  for (const path of storage.folders ?? []) if (!met.has(path) && isWithin(path, from)) yield { ...vanished(path), state: 'listed' };
  if (!met.has(from) && !storage.folders) yield vanished(from);
}

const vanished = (path: string): WalkedFolder => ({
  path,
  state: 'vanished',
  media: [],
  pictures: [],
  lyrics: [],
  playlists: [],
  skipped: [],
  notices: [],
  parentPictures: [],
});

const oneFolder = async (storage: FileStorage, path: string, kindOf: KindOf): Promise<WalkedFolder> => {
  const files = await storage.filesIn(path);
  const above = discOfFolder(nameOf(path)) === undefined || path === '' ? [] : await storage.filesIn(parentOf(path));
  for await (const folder of assembled(fromArray([...above, ...files].toSorted(byPath)), { kindOf }))
    if (folder.path === path) return folder;
  return vanished(path);
};

const byPath = (a: StorageFile, b: StorageFile): number => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));

async function* fromArray(files: readonly StorageFile[]): AsyncGenerator<StorageFile> {
  yield* files;
}

/** Files of another storage: S3 storage, or another server. */
export const openStorageFiles = async (
  root: string,
  { storage: catalogStorage, loopback, pictures }: StorageFilesOptions,
): Promise<CatalogFiles> => {
  try {
    // A password that was changed a moment ago counts for the next scan.
    const storage = await catalogStorage.at(root, 0);
    await storage.check();
    const addressOf = await loopback.addresses(root);
    return {
      root,
      key: root,
      walk: (options) => walkStorage(storage, root, options),
      folder: async (path, kindOf) => {
        try {
          return await oneFolder(storage, path, kindOf);
        } catch (error) {
          throw unusable(root, error);
        }
      },
      isThere: (path) => storage.isThere(path),
      locationOf: addressOf,
      movesKeepTimes: false,
      ...(isSongStorage(storage) ? { tags: new RemoteTags(storage, pictures) } : {}),
      close: () => Promise.resolve(),
    };
  } catch (error) {
    throw unusable(root, error);
  }
};

/** Opens the files of any catalog: of a folder of this machine, or of another storage. */
export const openCatalogFiles =
  (deps: StorageFilesOptions): OpenFiles =>
  (root) =>
    isElsewhere(root) ? openStorageFiles(root, deps) : openLocalFiles(root);
