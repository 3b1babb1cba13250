import { api, content, type Album, type Artist, type Page, type Playlist } from '../../lib/api.js';
import { songsOf, type SongSource } from '../../lib/song-sources.js';

/** Lists of songs that a search finds. */
export type FoundSongs = Extract<SongSource, { readonly kind: 'search' }>;

const SHOWN = '12';
/** Operators of rules about texts, as the API numbers them. */
const [CONTAINS, SOUNDS_LIKE] = ['0', '6'];

const rule = (operator: string, words: string) => ({ rule_1: 'title', rule_1_operator: operator, rule_1_input: words, limit: SHOWN });

/** Finds names that contain the words; if there are none, names that sound like them. */
const forgiving = async <T>(words: string, find: (query: ReturnType<typeof rule>) => Promise<Page<T>>): Promise<Page<T>> => {
  const found = await find(rule(CONTAINS, words));
  return found.total > 0 ? found : find(rule(SOUNDS_LIKE, words));
};

/** Artists whose name contains the words, or sounds like them. */
export const foundArtistsQuery = (words: string) => ({
  queryKey: ['artists', 'found', words],
  queryFn: () =>
    forgiving<Artist>(words, async (query) => {
      const { artist, total_count: total } = await content(api.GET('/artists/search', { params: { query } }));
      return { items: artist, total };
    }),
});

/** Albums whose name or artist contains the words, or sounds like them. */
export const foundAlbumsQuery = (words: string) => ({
  queryKey: ['albums', 'found', words],
  queryFn: () =>
    forgiving<Album>(words, async (title) => {
      const artist = { rule_2: 'album_artist', rule_2_operator: title.rule_1_operator, rule_2_input: words };
      const query = { ...title, ...artist, operator: 'or' as const };
      const { album, total_count: total } = await content(api.GET('/albums/search', { params: { query } }));
      return { items: album, total };
    }),
});

/** Playlists and smartlists whose name contains the words. */
export const foundPlaylistsQuery = (words: string) => ({
  queryKey: ['playlists', 'found', words],
  queryFn: async (): Promise<Page<Playlist>> => {
    const query = { filter: words, sort: 'name', limit: Number(SHOWN) };
    const { playlist, total_count: total } = await content(api.GET('/playlists', { params: { query } }));
    return { items: playlist, total };
  },
});

/** The list of songs that the words find, with its length: those with all words, else those with a title that sounds like them. */
export const foundSongsQuery = (words: string) => ({
  queryKey: ['songs', 'found', words],
  queryFn: async (): Promise<{ readonly source: FoundSongs; readonly total: number }> => {
    const source: FoundSongs = { kind: 'search', words };
    const { total } = await songsOf(source, 0, 1);
    if (total > 0) return { source, total };
    const loose: FoundSongs = { ...source, isLoose: true };
    return { source: loose, total: (await songsOf(loose, 0, 1)).total };
  },
});
