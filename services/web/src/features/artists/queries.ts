import { api, content, type Artist, type Page } from '../../lib/api.js';

export const ARTISTS_AT_ONCE = 100;

/** A part of the artists who made an album. */
export const artistsQuery = (part: number) => ({
  queryKey: ['artists', part],
  queryFn: async (): Promise<Page<Artist>> => {
    const query = { album_artist: 1, sort: 'name', offset: part * ARTISTS_AT_ONCE, limit: ARTISTS_AT_ONCE } as const;
    const { artist, total_count: total } = await content(api.GET('/artists', { params: { query } }));
    return { items: artist, total };
  },
});

/** An artist. */
export const artistQuery = (id: string) => ({
  queryKey: ['artist', id],
  queryFn: () => content(api.GET('/artists/{artist_id}', { params: { path: { artist_id: id } } })),
});
