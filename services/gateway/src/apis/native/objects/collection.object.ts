import type { CollectionView } from '../../../features/playlist/collections.reads.js';
import type { PlaylistFolderView } from '../../../reads/playlists/playlist-folders.reads.js';
import { objectTable, rowsOf } from '../../../render/index.js';
import type { NativeContext } from './context.js';
import { filingRows } from './filing-rows.js';

const of = rowsOf<CollectionView, NativeContext>();

/** Fields of a collection; it has no picture of its own. */
export const collectionObject = objectTable<CollectionView, NativeContext>('collection', [
  of.id('id', ({ id }) => id),
  of.text('name', ({ name }) => name),
  of.text('owner', ({ owner }) => owner),
  of.word('type', ({ isPublic }) => (isPublic ? 'public' : 'private')),
  of.word('object_type', ({ objectKind }) => objectKind, { nullable: true }),
  of.int('items', ({ memberCount }) => memberCount),
  of.bool('has_art', () => false),
  ...filingRows<CollectionView>(({ filing }) => filing),
]);

const folder = rowsOf<PlaylistFolderView, NativeContext>();

/** Fields of a playlist folder. */
export const playlistFolderObject = objectTable<PlaylistFolderView, NativeContext>('playlist_folder', [
  folder.id('id', ({ id }) => id),
  folder.text('name', ({ name }) => name),
  folder.word('parent', ({ parentId }) => String(parentId)),
  folder.int('sort_order', ({ sortOrder }) => sortOrder),
  folder.int('items', ({ listCount }) => listCount),
]);
