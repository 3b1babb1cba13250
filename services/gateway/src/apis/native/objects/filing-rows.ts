import type { Filing } from '../../../reads/playlists/playlist-folders.reads.js';
import { nativeRows, type NativeRow } from './native-object.js';

/** Folder of a list in the viewer's tree: absent in the root; version 8 only. */
export const filingRows = <T>(get: (source: T) => Filing | undefined): NativeRow<T>[] => {
  const of = nativeRows<T>();
  return [
    of.word('playlist_folder_id', (source) => get(source)?.folderId.toString(), { since: 8, optional: true }),
    of.int('playlist_folder_sort_order', (source) => get(source)?.sortOrder, { since: 8, optional: true }),
  ];
};
