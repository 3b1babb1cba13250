import type { FolderItemView } from '../../../reads/library/folders.reads.js';
import { seconds } from './context.js';
import { nativeObject } from './native-object.js';

/** An entry of a browsed folder. */
export interface NativeFolderItem {
  readonly view: FolderItemView;
  /** Id of the browsed folder; -1 for the virtual root. */
  readonly parentId: number;
}

/** Fields of a folder entry; version 8 only, with entities instead of CDATA. Averages are whole numbers. */
export const folderItemObject = nativeObject<NativeFolderItem>({ kind: 'item', schema: 'folder_item' }, (of) => [
  of.id('id', ({ view }) => view.id),
  of.word('object_type', ({ view }) => view.kind),
  of.word('title', ({ view }) => view.name),
  of.id('parent', ({ parentId }) => parentId, { xml: 'element' }),
  of.word('path', ({ view }) => view.path),
  of.int('time', ({ view }) => seconds(view.durationMs)),
  of.word('art', ({ view }, { links }) => links.art(view.kind, view.id)),
  of.bool('has_art', ({ view }) => view.hasArt),
  of.word('play_url', ({ view }, { links }) => (view.kind === 'folder' ? '' : links[view.kind](view.id, view.name))),
  of.int('rating', ({ view }) => view.annotations.rating, { nullable: true }),
  of.num(
    'averagerating',
    ({ view: { annotations } }) => (annotations.averageRating === null ? null : Math.round(annotations.averageRating)),
    { nullable: true },
  ),
]);
