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
import { runCommand } from '../../commands.js';
import { IdList } from '../../reads/id-list.js';
import {
  absentFromFolder,
  isFilable,
  listsInFolder,
  playlistFolderTree,
  type PlaylistFolderView,
} from '../../reads/playlist-folders.reads.js';
import { AS_ATTRIBUTE, buildObject, fieldNode, listNode, objectNode, type Node } from '../../render/index.js';
import { badValue, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { playlistFolderObject } from '../objects/collection.object.js';
import { pageResult } from '../paging.js';
import { idOf, limit, offset, required } from '../params.js';
import type { NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';
import { readHeld } from './held-objects.js';

const versions: readonly ApiVersion[] = [8];
const optional = z.string().optional();
const named = { filter: required };
const success = (message: string): NativeResult => ({ kind: 'success', message });

/** The root is no folder that anybody made; what stands in it is in no folder. */
const root: PlaylistFolderView = { id: ROOT_PLAYLIST_FOLDER, name: '/', parentId: ROOT_PLAYLIST_FOLDER, sortOrder: 0, listCount: 0 };

/** A number as `sort_order` has it; undefined when absent or empty. */
const sortOrder = optional.transform((text, context) => {
  const given = text?.trim() ?? '';
  if (given === '') return undefined;
  const order = playlistSortOrder.safeParse(/^-?\d{1,10}$/.test(given) ? Number(given) : undefined);
  if (order.success) return order.data;
  context.addIssue({ code: 'custom', message: 'no number' });
  return z.NEVER;
});

/** Walks names from the root on, whatever their case. */
const byPath = (folders: readonly PlaylistFolderView[], path: string): PlaylistFolderView | undefined => {
  let at: PlaylistFolderView | undefined = root;
  for (const name of path.split('/').filter((part) => part.trim() !== '')) {
    const parentId: number = at.id;
    at = folders.find((folder) => folder.parentId === parentId && foldName(folder.name) === foldName(name.trim()));
    if (!at) return undefined;
  }
  return at;
};

/** The folder of the caller's that a parameter names by number or path. @throws NativeRefusal 4704 */
const folderNamed = async ({ services, viewer }: CallerCall<unknown>, parameter: string, text: string): Promise<PlaylistFolderView> => {
  const folders = await playlistFolderTree(services.db, viewer);
  const trimmed = text.trim();
  if (trimmed === String(ROOT_PLAYLIST_FOLDER)) return root;
  const id = idOf(trimmed);
  const found = id === undefined ? (trimmed === '' ? undefined : byPath(folders, trimmed)) : folders.find((folder) => folder.id === id);
  if (!found) throw notFound(parameter, text);
  return found;
};

/** A folder that can be changed: the root cannot. */
const madeFolder = async (call: CallerCall<{ readonly filter: string }>): Promise<PlaylistFolderView> => {
  const folder = await folderNamed(call, 'filter', call.params.filter);
  if (folder.id === ROOT_PLAYLIST_FOLDER) throw badValue('filter', call.params.filter);
  return folder;
};

const nameOf = (text: string): string => {
  const name = playlistFolderName.safeParse(text.toWellFormed());
  if (!name.success) throw badValue('name', text.slice(0, 255));
  return name.data;
};

const callerOf = ({ request }: CallerCall<unknown>) => userId.parse(request.caller.account.id);

const shown = (view: PlaylistFolderView): NativeResult => ({
  kind: 'object',
  name: playlistFolderObject.kind,
  counted: false,
  md5: () => '',
  build: ({ context, profile }) => buildObject(playlistFolderObject, view, context, profile),
});

interface Terms {
  readonly name?: string | undefined;
  readonly parent?: string | undefined;
  readonly sort_order: number | undefined;
}

const create = async (call: CallerCall<Terms & { readonly name: string }>): Promise<NativeResult> => {
  const { params, services, request } = call;
  const name = nameOf(params.name);
  const parent = params.parent === undefined || params.parent.trim() === '' ? root : await folderNamed(call, 'parent', params.parent);
  const order = params.sort_order ?? 0;
  const { folderId } = await runCommand(services, request, createPlaylistFolder, {
    userId: callerOf(call),
    name,
    parentId: parent.id,
    sortOrder: order,
  });
  return shown({ id: folderId, name, parentId: parent.id, sortOrder: order, listCount: 0 });
};

const edit = async (call: CallerCall<Terms & { readonly filter: string }>): Promise<NativeResult> => {
  const { params, services, request } = call;
  const folder = await madeFolder(call);
  const isMoved = params.parent !== undefined && params.parent.trim() !== '';
  const changes = {
    ...(params.name === undefined || params.name.trim() === '' ? {} : { name: nameOf(params.name) }),
    ...(isMoved ? { parentId: (await folderNamed(call, 'parent', params.parent ?? '')).id } : {}),
    ...(params.sort_order === undefined ? {} : { sortOrder: params.sort_order }),
  };
  await runCommand(services, request, changePlaylistFolder, { userId: callerOf(call), folderId: folder.id, ...changes });
  return shown({ ...folder, ...changes });
};

const remove = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  const { services, request, viewer } = call;
  const folder = await madeFolder(call);
  const absent = await absentFromFolder(services.db, folder.id, viewer);
  await runCommand(services, request, deletePlaylistFolder, { userId: callerOf(call), folderId: folder.id, absent });
  return success('playlist folder deleted');
};

/** The list that a call names by type and id. @throws NativeRefusal 4710 for another type, 4704 for one that the caller cannot open */
const listNamed = async ({
  services,
  viewer,
  params,
}: CallerCall<{ id?: string | undefined; type: string }>): Promise<{ kind: FiledKind; listId: number }> => {
  const kind = filedKind.safeParse(params.type.trim().toLowerCase());
  if (!kind.success) throw badValue('type', params.type);
  if (params.id === undefined) throw missing('id');
  const listId = idOf(kind.data === 'smartlist' ? params.id.trim().replace(/^smart_/, '') : params.id);
  if (listId === undefined || !(await isFilable(services.db, kind.data, listId, viewer))) throw notFound('id', params.id);
  return { kind: kind.data, listId };
};

const file = async (
  call: CallerCall<{ filter: string; id?: string | undefined; type: string; sort_order: number | undefined }>,
): Promise<NativeResult> => {
  const { services, request, params } = call;
  const list = await listNamed(call);
  const folder = await folderNamed(call, 'filter', params.filter);
  await runCommand(services, request, filePlaylist, {
    userId: callerOf(call),
    folderId: folder.id,
    ...list,
    ...(params.sort_order === undefined ? {} : { sortOrder: params.sort_order }),
  });
  return success('item added to playlist folder');
};

const takeOut = async (call: CallerCall<{ filter: string; id?: string | undefined; type: string }>): Promise<NativeResult> => {
  const { services, request } = call;
  const list = await listNamed(call);
  const folder = await madeFolder(call);
  await runCommand(services, request, unfilePlaylist, { userId: callerOf(call), folderId: folder.id, ...list });
  return success('item removed from playlist folder');
};

const items = async (call: CallerCall<{ filter: string; offset: number; limit: number | undefined }>): Promise<NativeResult> => {
  const { services, viewer, params } = call;
  const folder = await folderNamed(call, 'filter', params.filter);
  const lists = await listsInFolder(services.db, folder.id, viewer);
  const page = lists.slice(params.offset, params.limit === undefined ? undefined : params.offset + params.limit);
  const held = await readHeld(
    call,
    page.map(({ kind, listId }) => ({ kind, objectId: listId })),
  );
  return {
    kind: 'fields',
    build: (rendering) => {
      const nodeOf = held(rendering);
      const contents = page.flatMap(({ kind, listId, sortOrder: order }): Node[] => {
        const node = nodeOf({ kind, objectId: listId });
        if (!node) return [];
        return [
          objectNode([fieldNode('sort_order', order, AS_ATTRIBUTE), fieldNode('object_type', kind, AS_ATTRIBUTE), fieldNode(kind, node)]),
        ];
      });
      const { fields } = buildObject(playlistFolderObject, folder, rendering.context, rendering.profile);
      const list = fieldNode('contents', listNode(contents), { json: 'key', xml: 'wrapped', item: 'item' });
      return objectNode([fieldNode(playlistFolderObject.kind, objectNode([...fields, list]))]);
    },
  };
};

/** The folders in which the caller keeps its lists: a tree of its own that nobody else sees. */
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
    run: async (call) => shown(await folderNamed(call, 'filter', call.params.filter)),
  }),
  playlist_folder_items: method({ versions, access: 5, params: z.object({ ...named, offset, limit }), run: items }),
  playlist_folder_create: method({
    versions,
    access: 5,
    params: z.object({ name: required, parent: optional, sort_order: sortOrder }),
    run: create,
  }),
  playlist_folder_edit: method({
    versions,
    access: 5,
    params: z.object({ ...named, name: optional, parent: optional, sort_order: sortOrder }),
    run: edit,
  }),
  playlist_folder_delete: method({ versions, access: 5, params: z.object(named), run: remove }),
  playlist_folder_add: method({
    versions,
    access: 5,
    params: z.object({ ...named, id: optional, type: required, sort_order: sortOrder }),
    run: file,
  }),
  playlist_folder_remove: method({ versions, access: 5, params: z.object({ ...named, id: optional, type: required }), run: takeOut }),
};
