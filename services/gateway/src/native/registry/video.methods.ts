import { z } from 'zod';
import { listMd5 } from '../../reads/id-list.js';
import { deletedVideosByIds, videosByIds } from '../../reads/videos.reads.js';
import { featureOff, notFound } from '../errors/native-fault.js';
import { method, type CallerCall, type CallerRow } from '../method.js';
import { deletedVideoObject, videoObject } from '../objects/video.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { cond, flag, idOf, limit, offset, required, sort } from '../params.js';
import { objectResult } from '../result.js';

/** Refuses what speaks of videos where they are switched off. @throws NativeRefusal 4703 */
export const requireVideos = ({ services }: Pick<CallerCall<unknown>, 'services'>): void => {
  if (!services.config.ALLOW_VIDEO) throw featureOff('video');
};

/** Looks at the switch before the parameters (native README section 5). */
const gated = (row: CallerRow): CallerRow => ({
  ...row,
  invoke: (raw, call) => {
    requireVideos(call);
    return row.invoke(raw, call);
  },
});

/** Recorded answers of versions 5 and 6 call an empty list by the plural (versions.md section 8). */
const EMPTY_NAME = 'deleted_videos';

/** Methods that list and show videos. */
export const videoMethods = {
  videos: gated(
    method({
      versions: [3, 4, 5, 6, 8],
      access: 5,
      params: z.object({ filter: z.string().optional(), exact: flag, offset, limit, cond, sort }),
      run: (call) =>
        listResult(call, listQuery('video', call.params, [], by('title')), {
          table: videoObject,
          read: (ids) => videosByIds(call.services.db, ids, call.viewer),
        }),
    }),
  ),
  video: gated(
    method({
      versions: [3, 4, 5, 6, 8],
      access: 5,
      params: z.object({ filter: required }),
      run: async ({ services, viewer, params: { filter } }) => {
        const id = idOf(filter);
        const [video] = id === undefined ? [] : await videosByIds(services.db, [id], viewer);
        if (!video) throw notFound('filter', filter);
        return objectResult(videoObject, video, { counted: true, md5: () => listMd5(Int32Array.of(video.id)) });
      },
    }),
  ),
  deleted_videos: gated(
    method({
      versions: [5, 6, 8],
      access: 5,
      params: z.object({ offset, limit }),
      run: async (call) => {
        const result = await listResult(call, listQuery('deleted_video', call.params, [], by('id')), {
          table: deletedVideoObject,
          read: (ids) => deletedVideosByIds(call.services.db, ids, call.viewer),
          // XML has no counters for them (versions.md section 3.1).
          counted: call.format === 'json',
        });
        const isOldEmpty = result.kind === 'list' && result.items.isEmpty && call.policy.version < 8;
        return isOldEmpty ? { ...result, name: EMPTY_NAME } : result;
      },
    }),
  ),
};
