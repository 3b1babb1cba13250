import type { AppendPart } from '@continuo/chassis';
import { folderDiscovered, folderSidecarsChanged, tracksAdded, type CatalogId, type FolderEvent, type FolderId } from '@continuo/contracts';
import { albumFolder, type SyntheticAlbum, type SyntheticLibrary } from '@continuo/media-fixtures';
import { FolderTree, type NewFolder } from './folder-tree.js';
import { recordedAlbum } from './recorded-album.js';

/** Albums of one append: its events stay well below the 1000 of an atomic batch, and its bytes around one megabyte. */
const ALBUMS_PER_APPEND = 96;

const part = (folderId: FolderId, events: readonly FolderEvent[]): AppendPart => ({
  context: 'library',
  aggregate: 'folder',
  id: folderId,
  expectedPosition: 0,
  events,
});

const discovered = (catalogId: CatalogId, folder: NewFolder): FolderEvent =>
  folderDiscovered({ folderId: folder.folderId, catalogId, path: folder.path, parentId: folder.parentId, name: folder.name });

const albumParts = (catalogId: CatalogId, tree: FolderTree, album: SyntheticAlbum): AppendPart[] => {
  const path = albumFolder(album);
  const news = tree.meet(path);
  const folderId = tree.idOf(path);
  const { names, tracks, folderArt } = recordedAlbum(album);
  const cover = { fileName: 'cover.jpg', sizeBytes: 40_000, mtimeMs: Date.UTC(2015, 0, 1), kind: 'art' as const };
  const content: FolderEvent[] = [
    tracksAdded({ folderId, catalogId, path, names, tracks }),
    ...(folderArt ? [folderSidecarsChanged({ folderId, catalogId, files: [cover], art: folderArt })] : []),
  ];
  const above = news
    .filter((folder) => folder.folderId !== folderId)
    .map((folder) => part(folder.folderId, [discovered(catalogId, folder)]));
  const own = news.filter((folder) => folder.folderId === folderId).map((folder) => discovered(catalogId, folder));
  return [...above, part(folderId, [...own, ...content])];
};

/** One append and how many songs it adds. */
export interface LibraryAppend {
  readonly parts: readonly AppendPart[];
  readonly songs: number;
}

/**
 * The events that a first scan of the library would record, in appends of one atomic batch each: folders with their parents, tracks, folder
 * pictures. The same library gives the same events. Ids start at 1, so the catalogue must be empty.
 */
export function* libraryEvents(library: SyntheticLibrary, catalogId: CatalogId): Generator<LibraryAppend> {
  const tree = new FolderTree();
  for (let first = 0; first < library.albums; first += ALBUMS_PER_APPEND) {
    const numbers = Array.from({ length: Math.min(ALBUMS_PER_APPEND, library.albums - first) }, (_, n) => first + n);
    const albums = numbers.map((number) => library.album(number));
    yield {
      parts: albums.flatMap((album) => albumParts(catalogId, tree, album)),
      songs: albums.reduce((sum, album) => sum + album.tracks.length, 0),
    };
  }
}
