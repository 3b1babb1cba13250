import { videosByIds } from '../../reads/videos.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { videoChild, videoInfo } from '../objects/video.object.js';
import { anyId } from '../parameters.js';
import { anybody, document } from './endpoint.js';

/** Videos. Where they are switched off there are none. */
export const videoEndpoints = {
  getVideos: document({
    access: anybody,
    params: {},
    body: containerBody('videos', 'video', videoChild),
    answer: async ({ services, viewer }) => {
      if (!services.config.ALLOW_VIDEO) return [];
      const list = await services.lists.ids({ kind: 'video', where: [], sort: { name: 'title', descending: false } }, viewer);
      return videosByIds(services.db, list.ids, viewer);
    },
  }),
  getVideoInfo: document({
    access: anybody,
    params: { id: anyId('video') },
    body: objectBody('videoInfo', videoInfo),
    answer: async ({ params: { id }, services, viewer }) => {
      const isVideo = services.config.ALLOW_VIDEO && id.kind === 'video';
      const [video] = isVideo ? await videosByIds(services.db, [id.id], viewer) : [];
      if (!video) throw new CompatError(70, 'There is no such video');
      return video;
    },
  }),
} as const;
