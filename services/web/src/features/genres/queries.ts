import { api, content, pageOf } from '../../lib/api.js';

/** All genres by name. */
export const genresQuery = {
  queryKey: ['genres'],
  queryFn: async () => pageOf('genre', await content(api.GET('/genres', { params: { query: { sort: 'name' } } }))),
};

/** A genre. */
export const genreQuery = (id: string) => ({
  queryKey: ['genres', id],
  queryFn: () => content(api.GET('/genres/{genre_id}', { params: { path: { genre_id: id } } })),
});
