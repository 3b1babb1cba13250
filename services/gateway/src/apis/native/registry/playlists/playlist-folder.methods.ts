import {
  changePlaylistFolder,
  createPlaylistFolder,
  deletePlaylistFolder,
  filedKind,
  filePlaylist,
  foldName,
  playlistFolderName,
  playlistSortOrder,
  ROOT_PLAYLIST_FOLDER,
  unfilePlaylist,
  userId,
  type FiledKind,
} from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../../../server/commands.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import {
  absentFromFolder,
  isFilable,
  listsInFolder,
  playlistFolderTree,
  type PlaylistFolderView,
} from '../../../../reads/playlists/playlist-folders.reads.js';
import { AS_ATTRIBUTE, fieldNode } from '../../../../render/index.js';
import { badValue, missing, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound, type Named } from '../../named-object.js';
import { playlistFolderObject } from '../../objects/collection.object.js';
import { pageResult, slice } from '../../paging.js';
import { idOf, limit, named, offset, optional, required } from '../../params.js';
import { heldList, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { isGiven } from './list-terms.js';
import type { TypeServices } from '../lists/native-types.js';
import { contentsResult } from '../lists/list-entries.js';

type Services = TypeServices;
const { method } = methodsUsing<Services>();

const versions: readonly ApiVersion[] = [8];

/** The root, which contains unfiled lists. */
const root: PlaylistFolderView = { id: ROOT_PLAYLIST_FOLDER, name: '/', parentId: ROOT_PLAYLIST_FOLDER, sortOrder: 0, listCount: 0 };

/** Integer of `sort_order`; undefined when absent or empty. */
const sortOrder = optional.transform((text, context) => {
  const given = text?.trim() ?? '';
  if (given === '') return undefined;
  const order = playlistSortOrder.safeParse(/^-?\d{1,10}$/.test(given) ? Number(given) : undefined);
  if (order.success) return order.data;
  context.addIssue({ code: 'custom', message: 'must be a whole number' });
  return z.NEVER;
});

/** Finds a folder by path, ignoring letter case. */
const byPath = (folders: readonly PlaylistFolderView[], path: string): PlaylistFolderView | undefined => {
  let at: PlaylistFolderView | undefined = root;
  for (const name of path.split('/').filter((part) => part.trim() !== '')) {
    const parentId: number = at.id;
    at = folders.find((folder) => folder.parentId === parentId && foldName(folder.name) === foldName(name.trim()));
    if (!at) return undefined;
  }
  return at;
};

/** Folder of the caller by id or path. @throws NativeRefusal 4704 */
const folderNamed = async (
  { services, viewer }: CallerCall<unknown, Services>,
  parameter: string,
  text: string,
): Promise<PlaylistFolderView> => {
  const folders = await playlistFolderTree(services.db, viewer);
  const trimmed = text.trim();
  if (trimmed === String(ROOT_PLAYLIST_FOLDER)) return root;
  const id = idOf(trimmed);
  const found = id === undefined ? (trimmed === '' ? undefined : byPath(folders, trimmed)) : folders.find((folder) => folder.id === id);
  return orNotFound(found, text, parameter);
};

/** A folder other than the root, which cannot be changed. */
const requireOwnFolder = async (call: CallerCall<Named, Services>): Promise<PlaylistFolderView> => {
  const folder = await folderNamed(call, 'filter', call.params.filter);
  if (folder.id === ROOT_PLAYLIST_FOLDER) throw badValue('filter', call.params.filter, 'must not be the root, which stays as it is');
  return folder;
};

const nameOf = (text: string): string => {
  const name = playlistFolderName.safeParse(text.toWellFormed());
  if (!name.success) throw badValue('name', text, 'must be a name of 1 to 255 characters without a slash');
  return name.data;
};

const callerOf = ({ context }: CallerCall<unknown, Services>) => userId.parse(context.caller.account.id);

/** A list of one folder. */
const folderResult = (view: PlaylistFolderView): NativeResult => heldList(playlistFolderObject, [view], ({ id }) => id);

const created = z.object({ name: required, parent: optional, sort_order: sortOrder });
const edited = z.object({ ...named, name: optional, parent: optional, sort_order: sortOrder });

const create = async (call: CallerCall<z.output<typeof created>, Services>): Promise<NativeResult> => {
  const { params, services, context } = call;
  const name = nameOf(params.name);
  const parent = isGiven(params.parent) ? await folderNamed(call, 'parent', params.parent) : root;
  const order = params.sort_order ?? 0;
  const { folderId } = await runCommand(services, context, createPlaylistFolder, {
    userId: callerOf(call),
    name,
    parentId: parent.id,
    sortOrder: order,
  });
  return folderResult({ id: folderId, name, parentId: parent.id, sortOrder: order, listCount: 0 });
};

const edit = async (call: CallerCall<z.output<typeof edited>, Services>): Promise<NativeResult> => {
  const { params, services, context } = call;
  const folder = await requireOwnFolder(call);
  const changes = {
    ...(isGiven(params.name) ? { name: nameOf(params.name) } : {}),
    ...(isGiven(params.parent) ? { parentId: (await folderNamed(call, 'parent', params.parent)).id } : {}),
    ...(params.sort_order === undefined ? {} : { sortOrder: params.sort_order }),
  };
  await runCommand(services, context, changePlaylistFolder, { userId: callerOf(call), folderId: folder.id, ...changes });
  return folderResult({ ...folder, ...changes });
};

const remove = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
  const { services, context, viewer } = call;
  const folder = await requireOwnFolder(call);
  const absent = await absentFromFolder(services.db, folder.id, viewer);
  await runCommand(services, context, deletePlaylistFolder, { userId: callerOf(call), folderId: folder.id, absent });
  return success('playlist folder deleted');
};

const filed = z.object({ ...named, id: optional, type: required });
const filedInOrder = filed.extend({ sort_order: sortOrder });

/** List of a call by type and id. @throws NativeRefusal 4710 for another type, 4704 when the caller cannot open it */
const listNamed = async (call: CallerCall<z.output<typeof filed>, Services>): Promise<{ kind: FiledKind; listId: number }> => {
  const { services, viewer, params } = call;
  const kind = filedKind.safeParse(params.type.trim().toLowerCase());
  if (!kind.success) throw badValue('type', params.type, oneOf(filedKind.options));
  if (params.id === undefined) throw missing('id');
  const listId = idOf(kind.data === 'smartlist' ? params.id.trim().replace(/^smart_/, '') : params.id);
  if (listId === undefined || !(await isFilable(services.db, kind.data, listId, viewer))) throw notFound('id', params.id);
  return { kind: kind.data, listId };
};

const file = async (call: CallerCall<z.output<typeof filedInOrder>, Services>): Promise<NativeResult> => {
  const { services, context, params } = call;
  const list = await listNamed(call);
  const folder = await folderNamed(call, 'filter', params.filter);
  await runCommand(services, context, filePlaylist, {
    userId: callerOf(call),
    folderId: folder.id,
    ...list,
    ...(params.sort_order === undefined ? {} : { sortOrder: params.sort_order }),
  });
  return success('item added to playlist folder');
};

const takeOut = async (call: CallerCall<z.output<typeof filed>, Services>): Promise<NativeResult> => {
  const { services, context } = call;
  const list = await listNamed(call);
  const folder = await requireOwnFolder(call);
  await runCommand(services, context, unfilePlaylist, { userId: callerOf(call), folderId: folder.id, ...list });
  return success('item removed from playlist folder');
};

const items = async (call: CallerCall<{ filter: string; offset: number; limit: number | undefined }, Services>): Promise<NativeResult> => {
  const { services, viewer, params } = call;
  const folder = await folderNamed(call, 'filter', params.filter);
  const lists = await listsInFolder(services.db, folder.id, viewer);
  const page = slice(lists, params).map((list) => ({ ...list, objectId: list.listId }));
  return contentsResult(call, page, {
    table: playlistFolderObject,
    source: folder,
    attributesOf: ({ sortOrder: order }) => [fieldNode('sort_order', order, AS_ATTRIBUTE)],
  });
};

/** Methods about playlist folders: each account has a tree of its own. */
export const playlistFolderMethods = {
  playlist_folders: method({
    versions,
    access: 5,
    params: z.object({ offset, limit }),
    run: async (call) => {
      const folders = await playlistFolderTree(call.services.db, call.viewer);
      const byId = new Map(folders.map((folder) => [folder.id, folder]));
      return pageResult(call, new IdList(Int32Array.from(folders, ({ id }) => id)), {
        table: playlistFolderObject,
        read: (ids) => Promise.resolve(Array.from(ids).flatMap((id) => byId.get(id) ?? [])),
      });
    },
  }),
  playlist_folder: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => folderResult(await folderNamed(call, 'filter', call.params.filter)),
  }),
  playlist_folder_items: method({ versions, access: 5, params: z.object({ ...named, offset, limit }), run: items }),
  playlist_folder_create: method({ versions, access: 5, params: created, run: create }),
  playlist_folder_edit: method({ versions, access: 5, params: edited, run: edit }),
  playlist_folder_delete: method({ versions, access: 5, params: z.object(named), run: remove }),
  playlist_folder_add: method({ versions, access: 5, params: filedInOrder, run: file }),
  playlist_folder_remove: method({ versions, access: 5, params: filed, run: takeOut }),
};
