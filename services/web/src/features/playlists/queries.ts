import { api, content, type Playlist } from '../../lib/api.js';

/** True for a smartlist, whose songs follow from rules. */
export const isSmart = ({ id }: Pick<Playlist, 'id'>): boolean => id.startsWith('smart_');

/** All playlists and smartlists that may be seen. */
export const playlistsQuery = {
  queryKey: ['playlists'],
  queryFn: async (): Promise<readonly Playlist[]> =>
    (await content(api.GET('/playlists', { params: { query: { sort: 'name', show_dupes: 1, limit: 'none' } } }))).playlist,
};

/** A playlist or smartlist. */
export const playlistQuery = (id: string) => ({
  queryKey: ['playlist', id],
  queryFn: () => content(api.GET('/playlists/{playlist_id}', { params: { path: { playlist_id: id } } })),
});

/** Ids of the accounts that may change the songs of a playlist besides its owner; for who may change its terms. */
export const collaboratorsQuery = (id: string) => ({
  queryKey: ['playlist', id, 'collaborators'],
  queryFn: async (): Promise<readonly string[]> => {
    const params = { path: { playlist_id: id }, query: { include: 'collaborators' } };
    const { collaborators = [] } = await content(api.GET('/playlists/{playlist_id}', { params }));
    return collaborators.map((one) => one.id);
  },
});

/** Number of songs in a playlist, as the lists tell it. */
export const lengthOf = ({ items }: Playlist): number => (typeof items === 'number' ? items : (items?.length ?? 0));
