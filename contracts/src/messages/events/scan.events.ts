import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId, scanId } from '../ids.js';
import { scanMode } from '../scan-mode.js';
import { skipReason } from '../track.js';

/** Counts of a scan so far. Folders and files are numbers of items. */
export const scanCounts = z.object({
  foldersSeen: z.int().nonnegative(),
  filesSeen: z.int().nonnegative(),
  songsAdded: z.int().nonnegative(),
  songsChanged: z.int().nonnegative(),
  songsMoved: z.int().nonnegative(),
  songsRemoved: z.int().nonnegative(),
  filesSkipped: z.int().nonnegative(),
});
export type ScanCounts = z.infer<typeof scanCounts>;

/** The first occurrences of skipped files, for a report; the whole list is in the library's file table. */
export const skipSample = z.object({ path: z.string(), reason: skipReason, message: z.string() });
export type SkipSample = z.infer<typeof skipSample>;

/** A scan was asked for. Without a mode it looks for changes, as every scan did before there were modes. */
export const scanRequested = defineEvent('ScanRequested', z.object({ scanId, catalogId, mode: scanMode.optional() }));
export const scanStarted = defineEvent('ScanStarted', z.object({ scanId, catalogId, attempt: z.int().positive() }));
/** `delayedBy` says in a sentence what the scan waits for; without it, it goes on. */
export const scanProgressed = defineEvent(
  'ScanProgressed',
  z.object({ scanId, catalogId, counts: scanCounts, delayedBy: z.string().max(1000).optional() }),
);
export const scanFinished = defineEvent(
  'ScanFinished',
  z.object({
    scanId,
    catalogId,
    counts: scanCounts,
    durationMs: z.int().nonnegative(),
    skipped: z.array(skipSample).max(100),
  }),
);
export const scanFailed = defineEvent('ScanFailed', z.object({ scanId, catalogId, counts: scanCounts, message: z.string() }));
export const scanCancelled = defineEvent('ScanCancelled', z.object({ scanId, catalogId, counts: scanCounts }));

export type ScanEvent = EventOf<
  typeof scanRequested | typeof scanStarted | typeof scanProgressed | typeof scanFinished | typeof scanFailed | typeof scanCancelled
>;
