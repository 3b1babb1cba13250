import { api, content, type Playlist, type Schemas } from '../../lib/api.js';
import { reload } from '../../lib/client.js';
import { isSmart, playlistsQuery } from './queries.js';

export type Folder = Schemas['PlaylistFolder'];

/** Id of the folder of everything that was put into none. */
export const ROOT = '0';

/** Folders of one's own lists, each behind the one that it is in. */
export const foldersQuery = {
  queryKey: [...playlistsQuery.queryKey, 'folders'],
  queryFn: async (): Promise<readonly Folder[]> =>
    (await content(api.GET('/playlist-folders', { params: { query: { limit: 'none' } } }))).playlist_folder,
};

/** A folder and those that it is in, outermost first. */
export const pathOf = (folders: readonly Folder[], id: string): readonly Folder[] => {
  const folder = folders.find((one) => one.id === id);
  return folder ? [...pathOf(folders, folder.parent), folder] : [];
};

/** Name of a folder with the names of those that it is in. */
export const fullNameOf = (folders: readonly Folder[], { id }: Folder): string =>
  pathOf(folders, id)
    .map(({ name }) => name)
    .join(' › ');

const byId = (id: string) => ({ params: { path: { playlist_folder_id: id } } });

/** Makes a folder, or renames or moves one. @throws ApiError for a name that its neighbour has */
export const saveFolder = async (terms: Pick<Folder, 'name' | 'parent'>, id?: string): Promise<void> => {
  await content(
    id === undefined
      ? api.PUT('/playlist-folders', { body: terms })
      : api.PATCH('/playlist-folders/{playlist_folder_id}', { ...byId(id), body: terms }),
  );
  await reload(playlistsQuery.queryKey);
};

/** Deletes an empty folder. @throws ApiError */
export const deleteFolder = async (id: string): Promise<void> => {
  await content(api.DELETE('/playlist-folders/{playlist_folder_id}', byId(id)));
  await reload(playlistsQuery.queryKey);
};

/** Puts a list into a folder, out of the one that it is in. @throws ApiError */
export const putIntoFolder = async (list: Playlist, folderId: string): Promise<void> => {
  const body = { id: list.id, type: isSmart(list) ? 'smartlist' : 'playlist' };
  await content(api.PUT('/playlist-folders/{playlist_folder_id}/items', { ...byId(folderId), body }));
  await reload(playlistsQuery.queryKey);
};
