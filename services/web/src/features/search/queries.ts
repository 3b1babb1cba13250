import type { QueryClient } from '@tanstack/react-query';
import { api, content } from '../../lib/api.js';
import { unlessRefused } from '../../lib/refused.js';
import { songsQuery, type SongSource } from '../../lib/song-sources.js';
import { stationsQuery } from '../radio/index.js';

/** Lists of songs that a search finds. */
export type FoundSongs = Extract<SongSource, { readonly kind: 'search' }>;

/** Found of each kind, at most. */
const SHOWN = 12;
/** Events tell of changed stations, ms. */
const STATIONS_FRESH_MS = 600_000;
const KINDS = 'artist,album,genre,label,podcast,podcast_episode';
/** Operators of rules about texts, as the API numbers them. */
const [CONTAINS, SOUNDS_LIKE] = ['0', '6'];

/** Finds names of several kinds, and albums by their artists, by one request. */
const namesWith = async (operator: string, words: string) => {
  const name = { rule_1: 'title', rule_1_operator: operator, rule_1_input: words };
  const artist = { rule_2: 'album_artist', rule_2_operator: operator, rule_2_input: words };
  const query = { types: KINDS, operator: 'or', limit: String(SHOWN), ...name, ...artist } as const;
  return (await content(api.GET('/search/{search_type}/groups', { params: { path: { search_type: 'all' }, query } }))).search;
};

/** The list of songs that the words find: those with all words, else those with a title that sounds like them. Its beginning is kept for who shows it. */
const foundSongs = async (client: QueryClient, words: string): Promise<{ readonly source: FoundSongs; readonly total: number }> => {
  const source: FoundSongs = { kind: 'search', words };
  const { total } = await client.fetchQuery(songsQuery(source, 0));
  if (total > 0) return { source, total };
  const loose: FoundSongs = { ...source, isLoose: true };
  return { source: loose, total: (await client.fetchQuery(songsQuery(loose, 0))).total };
};

/** Objects whose name contains the words, or sounds like them when there is none, and songs: all at once, so that nothing moves while somebody chooses. */
export const foundQuery = (words: string) => ({
  queryKey: ['search', words],
  queryFn: async ({ client }: { readonly client: QueryClient }) => {
    const list = { filter: words, limit: SHOWN };
    // Videos and stations may be switched off at the server.
    const [names, { playlist }, videos, stations, songs] = await Promise.all([
      namesWith(CONTAINS, words),
      content(api.GET('/playlists', { params: { query: { ...list, sort: 'name' } } })),
      unlessRefused(content(api.GET('/videos', { params: { query: { ...list, sort: 'title' } } }))),
      unlessRefused(client.fetchQuery({ ...stationsQuery, staleTime: STATIONS_FRESH_MS })),
      foundSongs(client, words),
    ]);
    const isNothing = Object.keys(names).length === 0;
    const folded = words.toLocaleLowerCase();
    return {
      ...(isNothing ? await namesWith(SOUNDS_LIKE, words) : names),
      playlist,
      video: videos?.video ?? [],
      stations: stations?.filter(({ name }) => name.toLocaleLowerCase().includes(folded)) ?? [],
      songs,
    };
  },
});
