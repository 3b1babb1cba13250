import { z } from 'zod';
import { captionKey, captionName, captionsOf, captionText, type Captions } from '../../../../features/captions/video-captions.js';
import { deletedVideosByIds, videosByIds } from '../../../../reads/library/videos.reads.js';
import { notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { captionsObject, deletedVideoObject, videoObject, type NativeCaptions } from '../../objects/video.object.js';
import { by } from '../../paging.js';
import { limit, matching, named, offset, optional, paging } from '../../params.js';
import { heldList, type NativeResult } from '../../result.js';
import { deletedPage, ofKind } from '../lists/of-kind.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasConfig, HasLog, HasMediaStore } from '../../../../server/needs.js';
import type { HasTranscodes } from '../../../../transcode/transcodes.js';
import type { HasLists } from '../../../../kinds/index.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig & HasReadModel & HasLists & HasMediaStore & HasTranscodes & HasLog;
const { method } = methodsUsing<Services>({ check: (call) => requireKind(call, 'video') });

const videos = ofKind('video', videoObject, videosByIds);

/** A language of two or three letters: as the file tells it, or by the name of the file beside it. */
const languageOf = (captions: Captions): string | undefined => {
  const word = captions.from === 'stream' ? captions.stream.language : captions.file.label.split(/[. _-]/)[0];
  return word !== undefined && /^[a-z]{2,3}$/i.test(word) ? word.toLowerCase() : undefined;
};

const captionsParams = z.object({ ...named, caption: optional });

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
  return heldList(captionsObject, shown);
};

/** Methods about videos. */
export const videoMethods = {
  videos: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...matching, ...paging }),
    run: (call) => videos.page(call, by('title')),
  }),
  video: method({ versions: [3, 4, 5, 6, 8], access: 5, params: z.object(named), run: videos.one }),
  video_captions: method({ versions: [8], access: 5, params: captionsParams, run: readCaptions }),
  deleted_videos: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ offset, limit }),
    run: (call) => deletedPage(call, 'deleted_video', { table: deletedVideoObject, read: deletedVideosByIds, emptyName: 'deleted_videos' }),
  }),
};
