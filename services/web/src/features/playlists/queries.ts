import { api, content, type Page, type Playlist } from '../../lib/api.js';

/** All playlists that may be seen. */
export const playlistsQuery = {
  queryKey: ['playlists'],
  queryFn: async (): Promise<Page<Playlist>> => {
    const { playlist, total_count: total } = await content(api.GET('/playlists', { params: { query: { hide_search: 1, sort: 'name' } } }));
    return { items: playlist, total };
  },
};

/** A playlist. */
export const playlistQuery = (id: string) => ({
  queryKey: ['playlist', id],
  queryFn: () => content(api.GET('/playlists/{playlist_id}', { params: { path: { playlist_id: id } } })),
});
