import { api, content, type Page, type Song } from './api.js';

/** A list of songs that can be shown and played, as data: it is kept with the queue and fetched in parts. */
export type SongSource =
  | { readonly kind: 'songs'; readonly sort: string; readonly filter?: string }
  | { readonly kind: 'album'; readonly id: string }
  | { readonly kind: 'artist'; readonly id: string }
  | { readonly kind: 'playlist'; readonly id: string }
  | { readonly kind: 'favourites' }
  | { readonly kind: 'search'; readonly words: string };

/** Songs that are fetched at once. */
export const SONGS_AT_ONCE = 100;

interface Part {
  readonly offset: number;
  readonly limit: number;
}

const answerOf = (source: SongSource, part: Part) => {
  switch (source.kind) {
    case 'songs':
      return api.GET('/songs', { params: { query: { ...part, sort: source.sort, ...(source.filter ? { filter: source.filter } : {}) } } });
    case 'album':
      return api.GET('/albums/{album_id}/songs', { params: { path: { album_id: source.id }, query: part } });
    case 'artist':
      return api.GET('/artists/{artist_id}/songs', { params: { path: { artist_id: source.id }, query: part } });
    case 'playlist':
      return api.GET('/playlists/{playlist_id}/songs', { params: { path: { playlist_id: source.id }, query: part } });
    case 'favourites':
      return api.GET('/songs/stats', { params: { query: { ...part, limit: String(part.limit), filter: 'flagged' } } });
    case 'search':
      return api.GET('/search_songs', { params: { query: { ...part, filter: source.words } } });
  }
};

/** Fetches a part of a list of songs. @throws ApiError */
export const songsOf = async (source: SongSource, offset: number, limit = SONGS_AT_ONCE): Promise<Page<Song>> => {
  const { song, total_count: total } = await content(answerOf(source, { offset, limit }));
  return { items: song, total };
};
