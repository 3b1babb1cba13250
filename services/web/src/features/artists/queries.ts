import { api, content, pageOf, type Artist, type Page } from '../../lib/api.js';
import type { PagedSource } from '../../lib/use-pages.js';

const ARTISTS_AT_ONCE = 100;

/** Which artists are listed, as data. */
export interface ArtistSource {
  /** Part of the name. */
  readonly name?: string | undefined;
  readonly isFavourite?: true | undefined;
}

/** The artists who made an album; of all favourite artists. */
export const artistsOf = (source: ArtistSource): PagedSource<Artist> => ({
  perPage: ARTISTS_AT_ONCE,
  ordered: { type: 'artists', sort: 'name', filter: source.name, cond: source.isFavourite ? 'user_flag,1' : 'album_artist,1' },
  query: (page) => ({
    queryKey: ['artists', source, page],
    queryFn: async (): Promise<Page<Artist>> => {
      const query = {
        sort: 'name',
        offset: page * ARTISTS_AT_ONCE,
        limit: ARTISTS_AT_ONCE,
        ...(source.name ? { filter: source.name } : {}),
        ...(source.isFavourite ? { cond: 'user_flag,1' } : { album_artist: 1 as const }),
      };
      return pageOf('artist', await content(api.GET('/artists', { params: { query } })));
    },
  }),
});

/** An artist. */
export const artistQuery = (id: string) => ({
  queryKey: ['artist', id],
  queryFn: () => content(api.GET('/artists/{artist_id}', { params: { path: { artist_id: id } } })),
});

/** Artists of this library that are similar; none when the server asks no external service. */
export const similarArtistsQuery = (id: string) => ({
  queryKey: ['artists', 'similar', id],
  queryFn: async () => pageOf('artist', await content(api.GET('/artists/{artist_id}/similar', { params: { path: { artist_id: id } } }))),
});
