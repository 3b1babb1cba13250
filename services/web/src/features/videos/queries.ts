import { api, content, type Page, type Schemas } from '../../lib/api.js';
import type { PagedSource } from '../../ui/paged-list.js';
import type { VideoOrder } from './filter.js';

export type Video = Schemas['Video'];

const VIDEOS_AT_ONCE = 60;

/** All videos, or those with a text in their titles. */
export const videosOf = (order: VideoOrder, name: string): PagedSource<Video> => ({
  perPage: VIDEOS_AT_ONCE,
  query: (page) => ({
    queryKey: ['videos', order, name, page],
    queryFn: async (): Promise<Page<Video>> => {
      const query = { sort: order, offset: page * VIDEOS_AT_ONCE, limit: VIDEOS_AT_ONCE, ...(name ? { filter: name } : {}) };
      const answer = await content(api.GET('/videos', { params: { query } }));
      return { items: answer.video, total: answer.total_count };
    },
  }),
});

/** A video with an address that opens it now. */
export const videoQuery = (id: string) => ({
  queryKey: ['videos', id],
  queryFn: () => content(api.GET('/videos/{video_id}', { params: { path: { video_id: id } } })),
});
