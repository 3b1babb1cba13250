import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';

/** As many folders of lists as one account has. */
export const MAX_PLAYLIST_FOLDERS = 5_000;
/** As many lists as one account files. */
export const MAX_FILED_LISTS = 20_000;
/** Longest name of a folder of lists, in characters. */
export const MAX_PLAYLIST_FOLDER_NAME = 255;
/** The folder above all others; it is there without anybody's making it. */
export const ROOT_PLAYLIST_FOLDER = 0;

/** Kinds of lists that can be filed. */
export const filedKinds = ['playlist', 'smartlist', 'collection'] as const;
/** One of {@link filedKinds}. */
export const filedKind = z.enum(filedKinds);

/** Number of a folder within its account, from 1. */
export const playlistFolderId = z.int().positive();
const parentId = z.int().min(ROOT_PLAYLIST_FOLDER);
/** Where something stands among its neighbours; what was never placed is 0. */
export const playlistSortOrder = z.int().min(-2_147_483_648).max(2_147_483_647);
/** Name of a folder: without a slash, which would read as a path. */
export const playlistFolderName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_PLAYLIST_FOLDER_NAME)
  .regex(/^[^/\0]+$/, 'a name has no slash');
const listId = z.int().positive();

const terms = { name: z.string(), parentId, sortOrder: playlistSortOrder };

/** An account has another folder. */
export const playlistFolderCreated = defineEvent('PlaylistFolderCreated', z.object({ userId, folderId: playlistFolderId, ...terms }));
/** Terms of a folder changed; absent ones stay. */
export const playlistFolderChanged = defineEvent(
  'PlaylistFolderChanged',
  z
    .object({ userId, folderId: playlistFolderId, ...terms })
    .partial()
    .required({ userId: true, folderId: true }),
);
/** A folder is gone, and with it what was filed in it. */
export const playlistFolderDeleted = defineEvent('PlaylistFolderDeleted', z.object({ userId, folderId: playlistFolderId }));
/** A list stands in this folder now, and in no other. */
export const playlistFiled = defineEvent(
  'PlaylistFiled',
  z.object({ userId, folderId: playlistFolderId, kind: filedKind, listId, sortOrder: playlistSortOrder }),
);
/** A list stands in the root again. */
export const playlistUnfiled = defineEvent('PlaylistUnfiled', z.object({ userId, kind: filedKind, listId }));
/** The account is gone, and all its folders with it. */
export const playlistFoldersForgotten = defineEvent('PlaylistFoldersForgotten', z.object({ userId }));

export type PlaylistFolderEvent = EventOf<
  | typeof playlistFolderCreated
  | typeof playlistFolderChanged
  | typeof playlistFolderDeleted
  | typeof playlistFiled
  | typeof playlistUnfiled
  | typeof playlistFoldersForgotten
>;
