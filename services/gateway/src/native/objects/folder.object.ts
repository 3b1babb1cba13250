import { objectTable, rowsOf } from '../../render/index.js';
import type { FolderItemView } from '../../reads/folders.reads.js';
import { seconds, type NativeContext } from './context.js';

/** Something in a folder that is being browsed. */
export interface NativeFolderItem {
  readonly view: FolderItemView;
  /** Id of the browsed folder; -1 for the virtual root. */
  readonly parentId: number;
}

const of = rowsOf<NativeFolderItem, NativeContext>();

/** versions.md sections 6.1 and 7.1; version 8 alone has it, and writes entities in place of CDATA. Averages are whole numbers here (contract, section 2.2). */
export const folderItemObject = objectTable<NativeFolderItem, NativeContext>('item', [
  of.id('id', ({ view }) => view.id),
  of.word('object_type', ({ view }) => view.kind),
  of.word('title', ({ view }) => view.name),
  of.id('parent', ({ parentId }) => parentId, { xml: 'element' }),
  of.word('path', ({ view }) => view.path),
  of.num('time', ({ view }) => seconds(view.durationMs)),
  of.word('art', ({ view }, { links }) => links.art(view.kind, view.id)),
  of.bool('has_art', ({ view }) => view.hasArt),
  of.word('play_url', ({ view }, { links }) => (view.kind === 'folder' ? '' : links[view.kind](view.id, view.name))),
  of.num('rating', ({ view }) => view.annotations.rating),
  of.num('averagerating', ({ view: { annotations } }) =>
    annotations.averageRating === null ? null : Math.round(annotations.averageRating),
  ),
]);
