import { PlaceUnusable, tellsOfSongs, type CatalogPlaces, type FilePlace, type LoopbackMedia, type PlaceFile } from '@continuo/chassis';
import { isElsewhere, Rejection } from '@continuo/contracts';
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

/** Where files of other places are looked at. */
export interface PlaceTools {
  readonly places: Pick<CatalogPlaces, 'at'>;
  readonly loopback: Pick<LoopbackMedia, 'addresses'>;
  readonly pictures: Pick<ReadLimits, 'maxPictureBytes' | 'maxPicturePixels'>;
}

const unusable = (root: string, error: unknown): Error => {
  const isAway = error instanceof PlaceUnusable || (error instanceof Rejection && error.code === 'unavailable');
  return isAway ? new RootUnusable(`${root} cannot be read: ${error.message}; nothing was removed`, { cause: error }) : (error as Error);
};

const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const isWithin = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

async function* assembled(files: AsyncIterable<PlaceFile>, { signal, kindOf = fileKind }: WalkOptions): AsyncGenerator<WalkedFolder> {
  const assembly = new FolderAssembly(kindOf);
  for await (const file of files) {
    signal?.throwIfAborted();
    assembly.add(file);
    yield* assembly.take();
  }
  assembly.end();
  yield* assembly.take();
}

/** Walks a place by its flat list of files. The picture of a disc may lie above the folder where a walk begins. */
async function* walkPlace(place: FilePlace, root: string, options: WalkOptions): AsyncGenerator<WalkedFolder> {
  const { from = '', signal } = options;
  const below = discOfFolder(nameOf(from)) === undefined ? from : parentOf(from);
  const met = new Set<string>();
  try {
    for await (const folder of assembled(place.list(below, signal), options)) {
      if (!isWithin(folder.path, from)) continue;
      if (folder.path === from || place.folders) met.add(folder.path);
      yield folder;
    }
  } catch (error) {
    throw unusable(root, error);
  }
  // What a folder of a fixed set has lost is looked for song by song; elsewhere a folder without files is none.
  for (const path of place.folders ?? []) if (!met.has(path) && isWithin(path, from)) yield { ...vanished(path), state: 'listed' };
  if (!met.has(from) && !place.folders) yield vanished(from);
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

const oneFolder = async (place: FilePlace, path: string, kindOf: KindOf): Promise<WalkedFolder> => {
  const files = await place.filesIn(path);
  const above = discOfFolder(nameOf(path)) === undefined || path === '' ? [] : await place.filesIn(parentOf(path));
  for await (const folder of assembled(fromArray([...above, ...files].toSorted(byPath)), { kindOf }))
    if (folder.path === path) return folder;
  return vanished(path);
};

const byPath = (a: PlaceFile, b: PlaceFile): number => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));

async function* fromArray(files: readonly PlaceFile[]): AsyncGenerator<PlaceFile> {
  yield* files;
}

/** Files of another place: S3 storage, or another server. */
export const openPlaceFiles = async (root: string, { places, loopback, pictures }: PlaceTools): Promise<CatalogFiles> => {
  try {
    // A password that was changed a moment ago counts for the next scan.
    const place = await places.at(root, 0);
    await place.check();
    const addressOf = await loopback.addresses(root);
    return {
      root,
      key: root,
      walk: (options) => walkPlace(place, root, options),
      folder: async (path, kindOf) => {
        try {
          return await oneFolder(place, path, kindOf);
        } catch (error) {
          throw unusable(root, error);
        }
      },
      isThere: (path) => place.isThere(path),
      locationOf: addressOf,
      movesKeepTimes: false,
      ...(tellsOfSongs(place) ? { tags: new RemoteTags(place, pictures) } : {}),
      close: () => Promise.resolve(),
    };
  } catch (error) {
    throw unusable(root, error);
  }
};

/** Opens the files of any catalog: of a folder of this machine, or of another place. */
export const openCatalogFiles =
  (tools: PlaceTools): OpenFiles =>
  (root) =>
    isElsewhere(root) ? openPlaceFiles(root, tools) : openLocalFiles(root);
