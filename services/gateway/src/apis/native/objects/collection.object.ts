import type { CollectionView } from '../../../features/playlist/collections.reads.js';
import type { PlaylistFolderView } from '../../../reads/playlists/playlist-folders.reads.js';
import { filingRows } from './filing-rows.js';
import { nativeObject } from './native-object.js';

/** Fields of a collection; it has no picture of its own. */
export const collectionObject = nativeObject<CollectionView>('collection', (of) => [
  of.id('id', ({ id }) => id),
  of.text('name', ({ name }) => name),
  of.text('owner', ({ owner }) => owner),
  of.word('type', ({ isPublic }) => (isPublic ? 'public' : 'private')),
  of.word('object_type', ({ objectKind }) => objectKind, { nullable: true }),
  of.int('items', ({ memberCount }) => memberCount),
  of.bool('has_art', () => false),
  ...filingRows<CollectionView>(({ filing }) => filing),
]);

/** Fields of a playlist folder. */
export const playlistFolderObject = nativeObject<PlaylistFolderView>('playlist_folder', (of) => [
  of.id('id', ({ id }) => id),
  of.text('name', ({ name }) => name),
  of.word('parent', ({ parentId }) => String(parentId)),
  of.int('sort_order', ({ sortOrder }) => sortOrder),
  of.int('items', ({ listCount }) => listCount),
]);
