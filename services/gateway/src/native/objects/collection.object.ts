import type { CollectionView } from '../../reads/collections.reads.js';
import type { Filing, PlaylistFolderView } from '../../reads/playlist-folders.reads.js';
import { objectTable, rowsOf, type FieldRow } from '../../render/index.js';
import type { NativeContext } from './context.js';

/** Where the viewer has filed a list: absent for one that stands in the root (versions.md section 6.1). Version 8 alone has folders. */
export const filingRows = <T>(get: (source: T) => Filing | undefined): FieldRow<T, NativeContext>[] => {
  const of = rowsOf<T, NativeContext>();
  return [
    of.word('playlist_folder_id', (source) => get(source)?.folderId.toString(), { since: 8 }),
    of.num('playlist_folder_sort_order', (source) => get(source)?.sortOrder, { since: 8 }),
  ];
};

const of = rowsOf<CollectionView, NativeContext>();

/** native README section 10, versions.md section 7.1. A collection has no picture of its own. */
export const collectionObject = objectTable<CollectionView, NativeContext>('collection', [
  of.id('id', ({ id }) => id),
  of.text('name', ({ name }) => name),
  of.text('owner', ({ owner }) => owner),
  of.word('type', ({ isPublic }) => (isPublic ? 'public' : 'private')),
  of.word('object_type', ({ objectKind }) => objectKind),
  of.num('items', ({ memberCount }) => memberCount),
  of.bool('has_art', () => false),
  ...filingRows<CollectionView>(({ filing }) => filing),
]);

const folder = rowsOf<PlaylistFolderView, NativeContext>();

/** native README section 10, versions.md section 7.1. */
export const playlistFolderObject = objectTable<PlaylistFolderView, NativeContext>('playlist_folder', [
  folder.id('id', ({ id }) => id),
  folder.text('name', ({ name }) => name),
  folder.word('parent', ({ parentId }) => String(parentId)),
  folder.num('sort_order', ({ sortOrder }) => sortOrder),
  folder.num('items', ({ listCount }) => listCount),
]);
