import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId, folderId, videoId } from '../ids.js';
import { recordedVideo, videoNames } from '../video.js';

const place = { folderId, catalogId };
const videos = {
  ...place,
  /** Of the folder, relative to the catalog's root. */
  path: z.string(),
  names: videoNames,
  videos: z.array(recordedVideo),
};
const named = z.array(z.object({ videoId, fileName: z.string() }));

/** Video files that were not known anywhere appeared in the folder. */
export const videosAdded = defineEvent('VideosAdded', z.object(videos));

/** Known video files of the folder have other content or tags than before; each keeps its id. */
export const videosChanged = defineEvent('VideosChanged', z.object(videos));

/** Video files that another folder held before, or this one under another name, appeared here; each keeps its id. */
export const videosMovedIn = defineEvent(
  'VideosMovedIn',
  z.object({ ...videos, from: z.array(z.object({ videoId, folderId, fileName: z.string() })) }),
);

/** Video files of this folder turned up elsewhere under the same ids. */
export const videosMovedOut = defineEvent('VideosMovedOut', z.object({ ...place, videos: named, toFolderId: folderId }));

/** Video files of this folder are gone. */
export const videosRemoved = defineEvent('VideosRemoved', z.object({ ...place, videos: named }));

/** All events of the videos of one media folder. */
export const videoEvents = [videosAdded, videosChanged, videosMovedIn, videosMovedOut, videosRemoved] as const;
export type VideoEvent = EventOf<(typeof videoEvents)[number]>;
