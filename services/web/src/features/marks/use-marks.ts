import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, content } from '../../lib/api.js';
import { announceFailure } from '../../ui/announcements.js';
import { markedIn, withMarks, type MarkedKind, type Marks } from './marked.js';

/** First parts of the keys of queries whose data has objects of a kind. */
const KEYS: Readonly<Record<MarkedKind, readonly string[]>> = {
  song: ['songs', 'song'],
  album: ['albums', 'album', 'home'],
  artist: ['artists', 'artist'],
  playlist: ['playlists', 'playlist'],
  podcast: ['podcasts'],
  podcast_episode: ['episodes'],
  video: ['videos'],
};

const sendFlag = (kind: MarkedKind, id: string, isFlagged: boolean): Promise<unknown> => {
  const body = { flag: isFlagged ? '1' : '0' };
  switch (kind) {
    case 'song':
      return content(api.POST('/songs/{song_id}/flag', { params: { path: { song_id: id } }, body }));
    case 'album':
      return content(api.POST('/albums/{album_id}/flag', { params: { path: { album_id: id } }, body }));
    case 'artist':
      return content(api.POST('/artists/{artist_id}/flag', { params: { path: { artist_id: id } }, body }));
    case 'playlist':
      return content(api.POST('/playlists/{playlist_id}/flag', { params: { path: { playlist_id: id } }, body }));
    case 'podcast':
      return content(api.POST('/podcasts/{podcast_id}/flag', { params: { path: { podcast_id: id } }, body }));
    case 'podcast_episode':
      return content(api.POST('/podcast-episodes/{episode_id}/flag', { params: { path: { episode_id: id } }, body }));
    case 'video':
      return content(api.POST('/videos/{video_id}/flag', { params: { path: { video_id: id } }, body }));
  }
};

const sendRating = (kind: MarkedKind, id: string, rating: number): Promise<unknown> => {
  const body = { rating: String(rating) };
  switch (kind) {
    case 'song':
      return content(api.POST('/songs/{song_id}/rate', { params: { path: { song_id: id } }, body }));
    case 'album':
      return content(api.POST('/albums/{album_id}/rate', { params: { path: { album_id: id } }, body }));
    case 'artist':
      return content(api.POST('/artists/{artist_id}/rate', { params: { path: { artist_id: id } }, body }));
    case 'playlist':
      return content(api.POST('/playlists/{playlist_id}/rate', { params: { path: { playlist_id: id } }, body }));
    case 'podcast':
      return content(api.POST('/podcasts/{podcast_id}/rate', { params: { path: { podcast_id: id } }, body }));
    case 'podcast_episode':
      return content(api.POST('/podcast-episodes/{episode_id}/rate', { params: { path: { episode_id: id } }, body }));
    case 'video':
      return content(api.POST('/videos/{video_id}/rate', { params: { path: { video_id: id } }, body }));
  }
};

const patch = (client: QueryClient, kind: MarkedKind, marks: ReadonlyMap<string, Marks>): void => {
  const predicate = ({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean => KEYS[kind].includes(String(first));
  client.setQueriesData({ predicate }, (data: unknown) => withMarks(data, marks));
};

/** Marks that objects have now, by id, as far as they are in fetched data. */
const marksNow = (client: QueryClient, kind: MarkedKind): ReadonlyMap<string, Marks> =>
  new Map(
    client
      .getQueriesData({ predicate: ({ queryKey: [first] }) => KEYS[kind].includes(String(first)) })
      .flatMap(([, data]) => markedIn(data).map(({ id, flag, rating }) => [id, { flag, rating }] as const)),
  );

/** Shows marks at once and sends them one by one; those that the server refuses are taken back, and it is said. */
const mark = async (client: QueryClient, kind: MarkedKind, ids: readonly string[], marks: Marks): Promise<void> => {
  const before = marksNow(client, kind);
  patch(client, kind, new Map(ids.map((id) => [id, marks])));
  for (const [at, id] of ids.entries())
    try {
      await (marks.flag === undefined ? sendRating(kind, id, marks.rating ?? 0) : sendFlag(kind, id, marks.flag));
    } catch (error) {
      patch(client, kind, new Map(ids.slice(at).map((left) => [left, before.get(left) ?? {}])));
      announceFailure(error);
      return;
    }
};

/** Functions that make favourites and ratings. Failures are announced. */
export const useMarks = (kind: MarkedKind) => {
  const client = useQueryClient();
  return useMemo(
    () => ({
      setFavourite: (ids: readonly string[], isFavourite: boolean) => mark(client, kind, ids, { flag: isFavourite }),
      /** @param rating 1 to 5; 0 for none */
      rate: (ids: readonly string[], rating: number) => mark(client, kind, ids, { rating: rating === 0 ? null : rating }),
    }),
    [client, kind],
  );
};
