import { z } from 'zod';
import { captionKey, captionName, captionsOf, captionText, type Captions } from '../../../../features/captions/video-captions.js';
import { deletedVideosByIds, videosByIds } from '../../../../reads/library/videos.reads.js';
import { notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { captionsObject, deletedVideoObject, videoObject, type NativeCaptions } from '../../objects/video.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { cond, flag, limit, offset, required, sort } from '../../params.js';
import { heldList, objectResult, type NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasConfig, HasLog, HasMediaStore } from '../../../../server/needs.js';
import type { HasTranscodes } from '../../../../transcode/transcodes.js';
import type { HasLists } from '../../../../kinds/index.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig & HasReadModel & HasLists & HasMediaStore & HasTranscodes & HasLog;
const { method } = methodsUsing<Services>({ check: (call) => requireKind(call, 'video') });

/** Plural name of an empty list in versions 5 and 6, as recorded. */
const EMPTY_NAME = 'deleted_videos';

/** A language of two or three letters: as the file tells it, or by the name of the file beside it. */
const languageOf = (captions: Captions): string | undefined => {
  const word = captions.from === 'stream' ? captions.stream.language : captions.file.label.split(/[. _-]/)[0];
  return word !== undefined && /^[a-z]{2,3}$/i.test(word) ? word.toLowerCase() : undefined;
};

const captionsParams = z.object({ filter: required, caption: z.string().optional() });

/** Captions of a video. The text is read for the named ones only: those in the file have to be taken out of it. */
const readCaptions = async (call: CallerCall<z.output<typeof captionsParams>, Services>): Promise<NativeResult> => {
  const { services } = call;
  const { filter, caption } = call.params;
  const video = await objectNamed(call, videosByIds, filter);
  const shown: NativeCaptions[] = [];
  for (const captions of await captionsOf(services, video)) {
    const key = captionKey(captions);
    if (caption !== undefined && key !== caption) continue;
    const text = caption === undefined ? undefined : await captionText(services, video, captions, { form: 'vtt', isGone: () => false });
    shown.push({ id: key, name: captionName(captions), language: languageOf(captions), text });
  }
  if (caption !== undefined && shown.length === 0) throw notFound('caption', caption);
  return heldList(captionsObject, shown, { counted: false, md5: '' });
};

/** Methods about videos. */
export const videoMethods = {
  videos: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: z.string().optional(), exact: flag, offset, limit, cond, sort }),
    run: (call) =>
      listResult(call, listQuery('video', call.params, [], by('title')), {
        table: videoObject,
        read: (ids) => videosByIds(call.services.db, ids, call.viewer),
      }),
  }),
  video: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: required }),
    run: async (call) => {
      const video = await objectNamed(call, videosByIds, call.params.filter);
      return objectResult(videoObject, video, video.id);
    },
  }),
  video_captions: method({
    versions: [8],
    access: 5,
    params: captionsParams,
    run: readCaptions,
  }),
  deleted_videos: method({
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
};
