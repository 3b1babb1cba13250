import { api, content, pageOf, type Album } from '../../lib/api.js';
import type { OrderedList } from '../../lib/list-starts.js';
import type { PagedSource } from '../../lib/use-pages.js';
import type { AlbumOrder } from './filter.js';

const ALBUMS_AT_ONCE = 60;

/** A list of albums, as data. */
export interface AlbumSource {
  readonly order: AlbumOrder;
  /** Part of the name. */
  readonly name?: string | undefined;
  /** Id of a genre. */
  readonly genre?: string | undefined;
  readonly isFavourite?: true | undefined;
  /** First and last year, both included. They need the search, which orders by name only. */
  readonly fromYear?: number | undefined;
  readonly toYear?: number | undefined;
}

/** Whether a list is found by the rules of the search. */
export const isByYears = ({ fromYear, toYear }: AlbumSource): boolean => fromYear !== undefined || toYear !== undefined;

type Rule = readonly [name: string, operator: number, input: string];

/** Rules of the search, as the API numbers their operators: 0 contains, and at least; 1 at most; 4 equals. */
const rulesOf = ({ name, fromYear, toYear }: AlbumSource, genreName: string | undefined): readonly Rule[] => [
  ...(name ? [['title', 0, name] as const] : []),
  ...(genreName === undefined ? [] : [['genre', 4, genreName] as const]),
  ...(fromYear === undefined ? [] : [['year', 0, String(fromYear)] as const]),
  ...(toYear === undefined ? [] : [['year', 1, String(toYear)] as const]),
];

const genreNameOf = async (id: string | undefined): Promise<string | undefined> =>
  id === undefined ? undefined : (await content(api.GET('/genres/{genre_id}', { params: { path: { genre_id: id } } }))).name;

/** The list as the API orders it, when it is not found by the search. */
const orderedAlbums = ({ order, name, genre, isFavourite }: AlbumSource): OrderedList => ({
  type: 'albums',
  sort: order,
  filter: name,
  cond: [...(genre ? [`genre,${genre}`] : []), ...(isFavourite ? ['user_flag,1'] : [])].join(';'),
});

const albumsAnswer = async (source: AlbumSource, offset: number, limit: number) => {
  if (isByYears(source)) {
    const rules = rulesOf(source, await genreNameOf(source.genre));
    const numbered = rules.flatMap(([name, operator, input], at) => [
      [`rule_${at + 1}`, name],
      [`rule_${at + 1}_operator`, String(operator)],
      [`rule_${at + 1}_input`, input],
    ]);
    return content(api.GET('/albums/search', { params: { query: { offset, limit: String(limit), ...Object.fromEntries(numbered) } } }));
  }
  const { sort, filter, cond } = orderedAlbums(source);
  const query = { sort, offset, limit, ...(filter ? { filter } : {}), ...(cond ? { cond } : {}) };
  return content(api.GET('/albums', { params: { query } }));
};

/** The albums of a list, in its order. */
export const albumsOf = (source: AlbumSource): PagedSource<Album> => ({
  perPage: ALBUMS_AT_ONCE,
  ordered: isByYears(source) ? undefined : orderedAlbums(source),
  query: (page) => ({
    queryKey: ['albums', source, page],
    queryFn: async () => pageOf('album', await albumsAnswer(source, page * ALBUMS_AT_ONCE, ALBUMS_AT_ONCE)),
  }),
});

/** Rankings of albums by what somebody has heard. */
export type AlbumRanking = 'newest' | 'frequent' | 'recent' | 'random' | 'forgotten' | 'flagged';

/** Albums of a ranking. */
export const rankedAlbumsQuery = (ranking: AlbumRanking, count: number) => ({
  queryKey: ['home', ranking],
  queryFn: async () =>
    pageOf('album', await content(api.GET('/albums/stats', { params: { query: { filter: ranking, limit: String(count) } } }))),
});

/** An album. */
export const albumQuery = (id: string) => ({
  queryKey: ['album', id],
  queryFn: () => content(api.GET('/albums/{album_id}', { params: { path: { album_id: id } } })),
});

/** Albums that credit an artist; with `isOwn` only those of the artist. */
export const artistAlbumsQuery = (id: string, isOwn: boolean) => ({
  queryKey: ['albums', 'artist', id, isOwn],
  queryFn: async () => {
    const query = { sort: 'year,DESC', ...(isOwn ? { album_artist: 1 as const } : {}) };
    return pageOf('album', await content(api.GET('/artists/{artist_id}/albums', { params: { path: { artist_id: id }, query } })));
  },
});
