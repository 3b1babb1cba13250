import type { Aggregate } from '@continuo/chassis';
import {
  foldName,
  MAX_FILED_LISTS,
  MAX_PLAYLIST_FOLDERS,
  playlistFiled,
  playlistFolderChanged,
  playlistFolderCreated,
  playlistFolderDeleted,
  playlistFoldersForgotten,
  playlistUnfiled,
  Rejection,
  ROOT_PLAYLIST_FOLDER,
  type FiledKind,
  type PlaylistFolderEvent,
  type UserId,
} from '@continuo/contracts';
import { differing } from '../list-terms/list-terms.js';

/** A list that can be filed. */
export interface FiledList {
  readonly kind: FiledKind;
  readonly listId: number;
}

/** Name and parent of a folder. */
export interface FolderTerms {
  readonly name: string;
  /** 0: the root. */
  readonly parentId: number;
  readonly sortOrder: number;
}

/** Commands of an account's tree of folders. */
export type PlaylistFoldersCommand = { readonly userId: UserId } & (
  | { readonly type: 'create'; readonly terms: FolderTerms }
  | { readonly type: 'change'; readonly folderId: number; readonly changes: Partial<FolderTerms> }
  | { readonly type: 'delete'; readonly folderId: number; readonly absent: readonly FiledList[] }
  | { readonly type: 'file'; readonly folderId: number; readonly list: FiledList; readonly sortOrder: number | undefined }
  | { readonly type: 'unfile'; readonly folderId: number; readonly list: FiledList }
  | { readonly type: 'forget' }
);

/** The folders of one account by number, and where its lists are filed, by kind and number. */
export interface PlaylistFoldersState {
  readonly folders: Readonly<Record<string, FolderTerms>>;
  readonly filings: Readonly<Record<string, { readonly folderId: number; readonly sortOrder: number }>>;
  /** The next number of a folder; numbers are never given again. */
  readonly next: number;
}

type Is<T extends PlaylistFoldersCommand['type']> = Extract<PlaylistFoldersCommand, { type: T }>;

const nothing: PlaylistFoldersState = { folders: {}, filings: {}, next: 1 };
const keyOf = ({ kind, listId }: FiledList): string => `${kind}:${listId}`;

const folderOf = (state: PlaylistFoldersState, folderId: number): FolderTerms => {
  const found = state.folders[folderId];
  if (!found) throw new Rejection('playlist-folder.not-found', undefined, String(folderId));
  return found;
};

const refuseAbsentParent = (state: PlaylistFoldersState, parentId: number): void => {
  if (parentId !== ROOT_PLAYLIST_FOLDER && !state.folders[parentId])
    throw new Rejection('playlist-folder.not-found', undefined, String(parentId));
};

/** Names differ among neighbours, whatever their case and accents. */
const refuseTakenName = ({ folders }: PlaylistFoldersState, { name, parentId }: FolderTerms, own?: number): void => {
  const folded = foldName(name);
  const isTaken = Object.entries(folders).some(
    ([id, other]) => Number(id) !== own && other.parentId === parentId && foldName(other.name) === folded,
  );
  if (isTaken) throw new Rejection('playlist-folder.name-taken', undefined, name);
};

/** A folder below itself would be lost from the tree. */
const refuseBelowItself = ({ folders }: PlaylistFoldersState, folderId: number, parentId: number): void => {
  for (let at: number | undefined = parentId; at !== undefined && at !== ROOT_PLAYLIST_FOLDER; at = folders[at]?.parentId)
    if (at === folderId) throw new Rejection('playlist-folder.below-itself', undefined, String(parentId));
};

const create = (state: PlaylistFoldersState, { userId, terms }: Is<'create'>): PlaylistFolderEvent[] => {
  if (Object.keys(state.folders).length >= MAX_PLAYLIST_FOLDERS)
    throw new Rejection('collection.full', `An account has at most ${MAX_PLAYLIST_FOLDERS} folders of lists`);
  refuseAbsentParent(state, terms.parentId);
  refuseTakenName(state, terms);
  return [playlistFolderCreated({ userId, folderId: state.next, ...terms })];
};

const change = (state: PlaylistFoldersState, { userId, folderId, changes }: Is<'change'>): PlaylistFolderEvent[] => {
  const before = folderOf(state, folderId);
  const differences = differing(before, changes);
  if (Object.keys(differences).length === 0) return [];
  const after = { ...before, ...differences };
  refuseAbsentParent(state, after.parentId);
  refuseBelowItself(state, folderId, after.parentId);
  refuseTakenName(state, after, folderId);
  return [playlistFolderChanged({ userId, folderId, ...differences })];
};

const remove = (state: PlaylistFoldersState, { userId, folderId, absent }: Is<'delete'>): PlaylistFolderEvent[] => {
  folderOf(state, folderId);
  const overlooked = new Set(absent.map(keyOf));
  const holds =
    Object.values(state.folders).some(({ parentId }) => parentId === folderId) ||
    Object.entries(state.filings).some(([key, filing]) => filing.folderId === folderId && !overlooked.has(key));
  if (holds) throw new Rejection('playlist-folder.not-empty', undefined, String(folderId));
  return [playlistFolderDeleted({ userId, folderId })];
};

const file = (state: PlaylistFoldersState, { userId, folderId, list, sortOrder }: Is<'file'>): PlaylistFolderEvent[] => {
  const before = state.filings[keyOf(list)];
  if (folderId === ROOT_PLAYLIST_FOLDER) return before ? [playlistUnfiled({ userId, ...list })] : [];
  folderOf(state, folderId);
  if (!before && Object.keys(state.filings).length >= MAX_FILED_LISTS)
    throw new Rejection('collection.full', `An account files at most ${MAX_FILED_LISTS} lists`);
  const order = sortOrder ?? before?.sortOrder ?? 0;
  if (before?.folderId === folderId && before.sortOrder === order) return [];
  return [playlistFiled({ userId, folderId, ...list, sortOrder: order })];
};

const unfile = (state: PlaylistFoldersState, { userId, folderId, list }: Is<'unfile'>): PlaylistFolderEvent[] => {
  folderOf(state, folderId);
  return state.filings[keyOf(list)]?.folderId === folderId ? [playlistUnfiled({ userId, ...list })] : [];
};

const decide = (state: PlaylistFoldersState, command: PlaylistFoldersCommand): readonly PlaylistFolderEvent[] => {
  switch (command.type) {
    case 'create':
      return create(state, command);
    case 'change':
      return change(state, command);
    case 'delete':
      return remove(state, command);
    case 'file':
      return file(state, command);
    case 'unfile':
      return unfile(state, command);
    case 'forget':
      return state.next === nothing.next ? [] : [playlistFoldersForgotten({ userId: command.userId })];
  }
};

const without = <T>(record: Readonly<Record<string, T>>, goes: (key: string, value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => !goes(key, value)));

const evolve = (state: PlaylistFoldersState, event: PlaylistFolderEvent): PlaylistFoldersState => {
  switch (event.type) {
    case 'PlaylistFolderCreated': {
      const { folderId, name, parentId, sortOrder } = event.data;
      return { ...state, folders: { ...state.folders, [folderId]: { name, parentId, sortOrder } }, next: folderId + 1 };
    }
    case 'PlaylistFolderChanged': {
      const { userId: _, folderId, ...changes } = event.data;
      const before = state.folders[folderId];
      return before ? { ...state, folders: { ...state.folders, [folderId]: { ...before, ...changes } } } : state;
    }
    case 'PlaylistFolderDeleted': {
      const { folderId } = event.data;
      return {
        ...state,
        folders: without(state.folders, (id) => Number(id) === folderId),
        filings: without(state.filings, (_, filing) => filing.folderId === folderId),
      };
    }
    case 'PlaylistFiled': {
      const { folderId, sortOrder } = event.data;
      return { ...state, filings: { ...state.filings, [keyOf(event.data)]: { folderId, sortOrder } } };
    }
    case 'PlaylistUnfiled':
      return { ...state, filings: without(state.filings, (key) => key === keyOf(event.data)) };
    case 'PlaylistFoldersForgotten':
      return nothing;
    default:
      return state;
  }
};

/** The folders in which one account keeps its lists. */
export const playlistFolders: Aggregate<PlaylistFoldersState, PlaylistFoldersCommand, PlaylistFolderEvent> = {
  context: 'library',
  kind: 'playlist-folders',
  initialState: nothing,
  decide,
  evolve,
};
