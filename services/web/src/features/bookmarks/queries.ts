import type { QueryClient } from '@tanstack/react-query';
import { api, content, type Song } from '../../lib/api.js';

/** A song and where somebody wants to go on with it. */
export interface SongBookmark {
  readonly id: string;
  readonly positionS: number;
  readonly song: Song;
}

/** Bookmarks in songs, the newest first. Those of episodes and videos are where they were left, and stand there. */
export const bookmarksQuery = {
  queryKey: ['bookmarks'],
  queryFn: async (): Promise<readonly SongBookmark[]> => {
    const { bookmark } = await content(api.GET('/bookmarks', { params: { query: { include: 1, limit: 'none' } } }));
    return bookmark
      .toSorted((one, other) => other.update_date - one.update_date)
      .flatMap(({ id, position, song: [song] = [] }) => (song ? [{ id, positionS: position, song }] : []));
  },
};

/** Keeps a position of a song, s. @throws ApiError */
export const bookmarkSong = async (song: Song, positionS: number): Promise<void> => {
  const body = { position: String(Math.floor(positionS)) };
  await content(api.PUT('/songs/{song_id}/bookmark', { params: { path: { song_id: song.id } }, body }));
};

/** Deletes a bookmark. @throws ApiError */
export const deleteBookmark = async (client: QueryClient, id: string): Promise<void> => {
  await content(api.DELETE('/bookmarks/{bookmark_id}', { params: { path: { bookmark_id: id } } }));
  await client.invalidateQueries({ queryKey: bookmarksQuery.queryKey });
};
