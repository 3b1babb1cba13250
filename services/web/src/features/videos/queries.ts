import { api, content, pageOf, type Page, type Schemas } from '../../lib/api.js';
import type { PagedSource } from '../../lib/use-pages.js';
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
      return pageOf('video', await content(api.GET('/videos', { params: { query } })));
    },
  }),
});

/** A video with an address that opens it now. */
export const videoQuery = (id: string) => ({
  queryKey: ['videos', id],
  queryFn: () => content(api.GET('/videos/{video_id}', { params: { path: { video_id: id } } })),
});

const videoPath = (id: string) => ({ path: { video_id: id } });

/** Subtitles of a video, in its file or beside it. */
export const captionsQuery = (id: string) => ({
  queryKey: ['captions', id],
  queryFn: async () => (await content(api.GET('/videos/{video_id}/captions', { params: videoPath(id) }))).caption,
});

/** Text of subtitles as WebVTT. They may have to be taken out of the file first. */
export const captionTextQuery = (id: string, caption: string) => ({
  queryKey: ['captions', id, caption],
  queryFn: async (): Promise<string> => {
    const params = { ...videoPath(id), query: { caption } };
    return (await content(api.GET('/videos/{video_id}/captions', { params }))).caption[0]?.text ?? '';
  },
  staleTime: Infinity,
});
