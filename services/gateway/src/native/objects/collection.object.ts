import type { CollectionView } from '../../reads/collections.reads.js';
import type { PlaylistFolderView } from '../../reads/playlist-folders.reads.js';
import { objectTable, rowsOf } from '../../render/index.js';
import type { NativeContext } from './context.js';
import { filingRows } from './filing-rows.js';

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
