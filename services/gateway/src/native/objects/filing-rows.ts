import type { Filing } from '../../reads/playlist-folders.reads.js';
import { rowsOf, type FieldRow } from '../../render/index.js';
import type { NativeContext } from './context.js';

/** Where the viewer has filed a list: absent for one that stands in the root (versions.md section 6.1). Version 8 alone has folders. */
export const filingRows = <T>(get: (source: T) => Filing | undefined): FieldRow<T, NativeContext>[] => {
  const of = rowsOf<T, NativeContext>();
  return [
    of.word('playlist_folder_id', (source) => get(source)?.folderId.toString(), { since: 8 }),
    of.num('playlist_folder_sort_order', (source) => get(source)?.sortOrder, { since: 8 }),
  ];
};
