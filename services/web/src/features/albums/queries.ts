import { api, content, type Album, type Page } from '../../lib/api.js';

export const ALBUMS_AT_ONCE = 60;

/** Orders of the list of albums, as the API names them. */
export const albumOrders = ['name', 'artist', 'year,DESC', 'addition_time,DESC'] as const;
export type AlbumOrder = (typeof albumOrders)[number];

const pageOf = ({ album, total_count: total }: { album: readonly Album[]; total_count: number }): Page<Album> => ({ items: album, total });

/** A part of all albums. */
export const albumsQuery = (sort: AlbumOrder, part: number) => ({
  queryKey: ['albums', sort, part],
  queryFn: async () =>
    pageOf(await content(api.GET('/albums', { params: { query: { sort, offset: part * ALBUMS_AT_ONCE, limit: ALBUMS_AT_ONCE } } }))),
});

/** Albums of a ranking, such as `newest`. */
export const rankedAlbumsQuery = (ranking: 'newest' | 'frequent' | 'recent' | 'random', count: number) => ({
  queryKey: ['home', ranking],
  queryFn: async () => pageOf(await content(api.GET('/albums/stats', { params: { query: { filter: ranking, limit: String(count) } } }))),
});

/** An album. */
export const albumQuery = (id: string) => ({
  queryKey: ['album', id],
  queryFn: () => content(api.GET('/albums/{album_id}', { params: { path: { album_id: id } } })),
});

/** Albums of an artist. */
export const artistAlbumsQuery = (id: string) => ({
  queryKey: ['albums', 'artist', id],
  queryFn: async () =>
    pageOf(await content(api.GET('/artists/{artist_id}/albums', { params: { path: { artist_id: id }, query: { sort: 'year,DESC' } } }))),
});
