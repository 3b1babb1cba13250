/** Commands about the folders in which an account keeps its lists. Everybody has a tree of their own; numbers count up within it. */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { filedKind, MAX_FILED_LISTS, playlistFolderId, playlistFolderName, playlistSortOrder } from '../events/playlist-folder.events.js';
import { userId } from '../ids.js';

const none = z.object({});
const list = z.object({ kind: filedKind, listId: z.int().positive() });
const terms = z.object({ name: playlistFolderName, parentId: z.int().min(0), sortOrder: playlistSortOrder });

/** Makes a folder and answers its number. Refused as `playlist-folder.name-taken` beside one of that name in any case, and when the parent is not there. */
export const createPlaylistFolder = defineCommand(
  'library',
  'create-playlist-folder',
  terms.extend({ userId }),
  z.object({ folderId: playlistFolderId }),
);

/** Changes what is named. Refused as `playlist-folder.below-itself`, too. */
export const changePlaylistFolder = defineCommand(
  'library',
  'change-playlist-folder',
  terms.partial().extend({ userId, folderId: playlistFolderId }),
  none,
);

/**
 * Ends a folder. Refused as `playlist-folder.not-empty`; `absent` are lists that are filed there and that the account cannot find any more: these do not
 * count.
 */
export const deletePlaylistFolder = defineCommand(
  'library',
  'delete-playlist-folder',
  z.object({ userId, folderId: playlistFolderId, absent: z.array(list).max(MAX_FILED_LISTS).default([]) }),
  none,
);

/** Files a list in a folder, and takes it out of the one where it was. Folder 0 is the root. Without `sortOrder` it stays as it was, or is 0. */
export const filePlaylist = defineCommand(
  'library',
  'file-playlist',
  list.extend({ userId, folderId: z.int().min(0), sortOrder: playlistSortOrder.optional() }),
  none,
);

/** Takes a list out of this folder; nothing happens when it is not in it. */
export const unfilePlaylist = defineCommand('library', 'unfile-playlist', list.extend({ userId, folderId: playlistFolderId }), none);
