import { api, content, type Page } from '../../lib/api.js';

type Genre = Awaited<ReturnType<typeof genreNamed>>;

const genreNamed = (id: string) => content(api.GET('/genres/{genre_id}', { params: { path: { genre_id: id } } }));

/** All genres by name. */
export const genresQuery = {
  queryKey: ['genres'],
  queryFn: async (): Promise<Page<Genre>> => {
    const { genre, total_count: total } = await content(api.GET('/genres', { params: { query: { sort: 'name' } } }));
    return { items: genre, total };
  },
};

/** A genre. */
export const genreQuery = (id: string) => ({ queryKey: ['genres', id], queryFn: () => genreNamed(id) });
