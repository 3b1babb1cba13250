import { z } from 'zod';
import { listMd5 } from '../../../../reads/lists/id-list.js';
import { deletedVideosByIds, videosByIds } from '../../../../reads/library/videos.reads.js';
import { notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerRow } from '../../method.js';
import { deletedVideoObject, videoObject } from '../../objects/video.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { cond, flag, idOf, limit, offset, required, sort } from '../../params.js';
import { objectResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasConfig } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig & HasReadModel & HasLists;
const { method } = methodsUsing<Services>();

/** Checks the feature before the parameters. */
const requireFeature = (row: CallerRow<Services>): CallerRow<Services> => ({
  ...row,
  invoke: (raw, call) => {
    requireKind(call, 'video');
    return row.invoke(raw, call);
  },
});

/** Plural name of an empty list in versions 5 and 6, as recorded. */
const EMPTY_NAME = 'deleted_videos';

/** Methods about videos. */
export const videoMethods = {
  videos: requireFeature(
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
  video: requireFeature(
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
  deleted_videos: requireFeature(
    method({
      versions: [5, 6, 8],
      access: 5,
      params: z.object({ offset, limit }),
      run: async (call) => {
        const result = await listResult(call, listQuery('deleted_video', call.params, [], by('id')), {
          table: deletedVideoObject,
          read: (ids) => deletedVideosByIds(call.services.db, ids, call.viewer),
          // XML has no counters here.
          counted: call.format === 'json',
        });
        const isOldEmpty = result.kind === 'list' && result.items.isEmpty && call.policy.version < 8;
        return isOldEmpty ? { ...result, name: EMPTY_NAME } : result;
      },
    }),
  ),
};
