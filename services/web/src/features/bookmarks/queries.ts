import { api, content, type Schemas, type Song } from '../../lib/api.js';
import { reload } from '../../lib/client.js';
import { player } from '../player/index.js';

/** Something that somebody goes on with, and where. */
export type Bookmark = {
  readonly id: string;
  readonly positionS: number;
} & (
  | { readonly kind: 'song'; readonly song: Song }
  | { readonly kind: 'podcast_episode'; readonly episode: Schemas['PodcastEpisode'] }
  | { readonly kind: 'video'; readonly video: Schemas['Video'] }
);

/** Bookmarks, the newest first. Those of episodes and videos are where they were left. */
export const bookmarksQuery = {
  queryKey: ['bookmarks'],
  queryFn: async (): Promise<readonly Bookmark[]> => {
    const { bookmark } = await content(api.GET('/bookmarks', { params: { query: { include: 1, limit: 'none' } } }));
    return bookmark
      .toSorted((one, other) => other.update_date - one.update_date)
      .flatMap(({ id, position, song: [song] = [], podcast_episode: [episode] = [], video: [video] = [] }): readonly Bookmark[] => {
        const at = { id, positionS: position };
        if (song) return [{ ...at, kind: 'song', song }];
        if (episode) return [{ ...at, kind: 'podcast_episode', episode }];
        return video ? [{ ...at, kind: 'video', video }] : [];
      });
  },
};

/** Goes on with a song where its bookmark is; the list that played before goes on after it. @throws ApiError */
export const goOnWith = async (song: Song, positionS: number): Promise<void> => {
  player.enqueue([song], 'next');
  await player.next();
  player.engine.seek(positionS);
};

/** Keeps a position of a song, s. @throws ApiError */
export const bookmarkSong = async (song: Song, positionS: number): Promise<void> => {
  const body = { position: String(Math.floor(positionS)) };
  await content(api.PUT('/songs/{song_id}/bookmark', { params: { path: { song_id: song.id } }, body }));
};

/** Deletes a bookmark. @throws ApiError */
export const deleteBookmark = async (id: string): Promise<void> => {
  await content(api.DELETE('/bookmarks/{bookmark_id}', { params: { path: { bookmark_id: id } } }));
  await reload(bookmarksQuery.queryKey);
};
