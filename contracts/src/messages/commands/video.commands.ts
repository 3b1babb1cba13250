import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, folderId, videoId } from '../ids.js';
import { skippedFile } from '../track.js';
import { scannedVideo } from '../video.js';

/**
 * Records what a scan found in one media folder of a catalog of videos. A large folder comes as several commands, each a delta over what is known: files that are
 * not mentioned stay as they are. Sending the same twice changes nothing.
 */
export const recordVideos = defineCommand(
  'library',
  'record-videos',
  z.object({
    catalogId,
    path: z.string().max(8192),
    /** New or changed files. */
    videos: z.array(scannedVideo),
    /** Former location of a new file of `videos`, when the scan recognised it as moved. */
    moves: z.array(z.object({ fileName: z.string(), videoId, fromFolderId: folderId, fromFileName: z.string() })).default([]),
    /** Names of known videos or skipped files that are gone. */
    goneFiles: z.array(z.string()).default([]),
    skipped: z.array(skippedFile).default([]),
    /** True when the folder itself is gone: everything in it goes. */
    vanished: z.boolean().default(false),
  }),
  z.object({
    videosAdded: z.int().nonnegative(),
    videosChanged: z.int().nonnegative(),
    videosMoved: z.int().nonnegative(),
    videosRemoved: z.int().nonnegative(),
  }),
);
