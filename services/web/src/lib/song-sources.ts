import { api, content, isAway, pageOf, type Page, type Song } from './api.js';
import { offlinePart } from './offline.js';
import type { PagedSource } from './use-pages.js';

/** Orders of the list of songs, as the API names them. */
export const songOrders = [
  'title',
  'title,DESC',
  'artist',
  'artist,DESC',
  'album',
  'album,DESC',
  'year,DESC',
  'addition_time,DESC',
  'total_count,DESC',
  'rating,DESC',
] as const;
export type SongOrder = (typeof songOrders)[number];

/** A list of songs that can be shown and played, as data: it is kept with the queue and fetched in parts. */
export type SongSource =
  | { readonly kind: 'songs'; readonly sort: string; readonly filter?: string }
  | { readonly kind: 'album'; readonly id: string }
  | { readonly kind: 'artist'; readonly id: string }
  /** The 50 songs of an artist that were played most. */
  | { readonly kind: 'top'; readonly id: string }
  | { readonly kind: 'genre'; readonly id: string }
  | { readonly kind: 'playlist'; readonly id: string }
  | { readonly kind: 'favourites' }
  /** Songs that were kept in this browser one by one. */
  | { readonly kind: 'offline' }
  /** Songs that sound like a song. */
  | { readonly kind: 'mix'; readonly id: string }
  /** Songs in a folder and below it, in the order of their paths. */
  | { readonly kind: 'folder'; readonly path: string }
  /** Songs that somebody who types the words may mean, the best first. */
  | { readonly kind: 'search'; readonly words: string };

/** Songs that are fetched at once. */
export const SONGS_AT_ONCE = 100;

/** Lists of which the server sends any part. */
type ServerSource = Exclude<SongSource, { readonly kind: 'offline' | 'mix' }>;

interface Part {
  readonly offset?: number;
  readonly limit: number;
  /** Positions in the list, separated by commas, instead of a page. */
  readonly positions?: string;
}

/** Rule for the files below a folder; the API numbers its operators, 2 is the one for the beginning of a text. */
const folderRule = (path: string) => ({ rule_1: 'file', rule_1_operator: '2', rule_1_input: `${path.replace(/\/$/, '')}/` });

const answerOf = (source: ServerSource, part: Part) => {
  const query = { ...part, limit: String(part.limit) };
  switch (source.kind) {
    case 'songs':
      return api.GET('/songs', { params: { query: { ...part, sort: source.sort, ...(source.filter ? { filter: source.filter } : {}) } } });
    case 'top':
      return api.GET('/artists/{artist_id}/songs', { params: { path: { artist_id: source.id }, query: { ...part, top50: 1 } } });
    case 'favourites':
      return api.GET('/songs/stats', { params: { query: { ...query, filter: 'flagged' } } });
    case 'folder':
      return api.GET('/songs/search', { params: { query: { ...query, ...folderRule(source.path) } } });
    case 'search':
      return api.GET('/songs/search', { params: { query: { ...query, words: source.words } } });
    case 'album':
      return api.GET('/albums/{album_id}/songs', { params: { path: { album_id: source.id }, query: part } });
    case 'artist':
      return api.GET('/artists/{artist_id}/songs', { params: { path: { artist_id: source.id }, query: part } });
    case 'genre':
      return api.GET('/genres/{genre_id}/songs', { params: { path: { genre_id: source.id }, query: part } });
    case 'playlist':
      return api.GET('/playlists/{playlist_id}/songs', { params: { path: { playlist_id: source.id }, query: part } });
  }
};

/** Asks the server for a part of a list of songs. @throws ApiError */
export const songsFromServer = async (source: ServerSource, part: Part): Promise<Page<Song>> =>
  pageOf('song', await content(answerOf(source, part)));

/** Asks the server, or what this browser keeps of the list when the server is away. */
const fromServerOrKept = async (
  source: SongSource,
  part: Part,
  pick: (ids: readonly string[]) => readonly string[],
): Promise<Page<Song>> => {
  const key = JSON.stringify(source);
  if (source.kind === 'mix') {
    const params = { path: { song_id: source.id } };
    const { sonic_match: songs } = await content(api.GET('/songs/{song_id}/sonic-match', { params }));
    const byId = new Map(songs.map((song) => [song.id, song]));
    return { items: pick([...byId.keys()]).flatMap((id) => byId.get(id) ?? []), total: byId.size };
  }
  if (source.kind === 'offline') return (await offlinePart(key, pick)) ?? { items: [], total: 0 };
  try {
    return await songsFromServer(source, part);
  } catch (error) {
    const kept = isAway(error) ? await offlinePart(key, pick) : undefined;
    if (!kept) throw error;
    return kept;
  }
};

/** Fetches a part of a list of songs. @throws ApiError */
export const songsOf = (source: SongSource, offset: number, limit = SONGS_AT_ONCE): Promise<Page<Song>> =>
  fromServerOrKept(source, { offset, limit }, (ids) => ids.slice(offset, offset + limit));

/** Fetches the songs at positions of a list, in the order of the positions. @throws ApiError */
export const songsAt = async (source: SongSource, positions: readonly number[]): Promise<readonly Song[]> => {
  const part = { positions: positions.join(','), limit: positions.length };
  return (await fromServerOrKept(source, part, (ids) => positions.flatMap((position) => ids[position] ?? []))).items;
};

/** The songs of a list, in its order. */
export const songsIn = (source: SongSource): PagedSource<Song> => ({
  perPage: SONGS_AT_ONCE,
  ordered: source.kind === 'songs' ? { type: 'songs', sort: source.sort, filter: source.filter } : undefined,
  query: (page) => songsQuery(source, page),
});

/** A part of a list of songs, as a query. */
export const songsQuery = (source: SongSource, part: number) => ({
  queryKey: ['songs', source, part],
  queryFn: () => songsOf(source, part * SONGS_AT_ONCE),
});
