import { z } from 'zod';
import { defineQuery } from './define.js';
import { scanCounts, skipSample } from './events/scan.events.js';
import { catalogId, scanId } from './ids.js';
import { scanMode } from './scan-mode.js';
import { eventStreamName } from './subjects.js';
import { sidecarFile, skippedFile } from './track.js';

/** Subject on which workers offer parts of a scan of theirs; every other worker listens. */
export const SCAN_OFFER_SUBJECT = 'scan.offers';

/** A catalog as a scan needs it. */
const scannedCatalog = z.object({
  id: catalogId,
  path: z.string(),
  /** Kind of media that the catalog holds. */
  gathers: z.string(),
  /** Songs or videos that the library knows there. */
  mediaCount: z.number(),
});
export type ScannedCatalog = Readonly<z.infer<typeof scannedCatalog>>;

/** Offer of a scan to helpers; valid while it is repeated. */
export const scanOffer = z.object({
  scanId,
  catalog: scannedCatalog,
  mode: scanMode,
  context: z.object({ actor: z.string(), correlationId: z.string(), causationId: z.string(), traceparent: z.string().exactOptional() }),
  /** Whether the library knows anything of the catalog, so that a new file may be a known one. */
  knowsSomething: z.boolean(),
  /** Subject of {@link scanPartQuery}. */
  subject: z.string(),
});
export type ScanOffer = Readonly<z.infer<typeof scanOffer>>;

const knownFile = z.object({
  name: z.string(),
  kind: z.enum(['track', 'skipped', 'art', 'lyrics']),
  size_bytes: z.number(),
  mtime_ms: z.number(),
  skip_reason: z.string().nullable(),
  skip_message: z.string().nullable(),
});

const names = z.array(z.string()).readonly();

/** A file whose content has to be read. */
const fileToRead = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  /** Whole milliseconds since 1970. */
  mtimeMs: z.number(),
  /** Known file of this name, if any. */
  before: knownFile.optional(),
  /** Names of lyrics files that belong to it. */
  lyrics: names,
  /** Names of cue sheets that may cut it into songs. */
  cues: names.exactOptional(),
  /** Under which names the library has songs of it; more than one, or another than its own, where a sheet cut it. */
  known: names.exactOptional(),
});
export type FileToRead = Readonly<z.infer<typeof fileToRead>>;

/** Work to do for one folder. All empty: unchanged. */
const folderPlan = z.object({
  path: z.string(),
  read: z.array(fileToRead).readonly(),
  /** Entries to record as left out. */
  skipped: z.array(skippedFile).readonly(),
  /** Left-out entries that are gone or can be used now. */
  cleared: names,
  /** Known tracks that are not on the disk under this name: looked at again when the whole catalog has been walked. */
  missing: names,
  /** Companion files, when they are not the known ones. */
  sidecars: z.array(sidecarFile).readonly().exactOptional(),
  /** Everything left out, recorded before or now, for the report. */
  report: z.array(skippedFile).readonly(),
});
export type FolderPlan = Readonly<z.infer<typeof folderPlan>>;

/** Counts of recorded work, for the total of the scan. */
const recordedWork = z.object({ counts: scanCounts, filesRead: z.number(), samples: z.array(skipSample).readonly() });
export type RecordedWork = Readonly<z.infer<typeof recordedWork>>;

const helper = z.string();
const part = z.string();

/** Message from a helper to the worker of a scan. */
const helperMessage = z.discriminatedUnion('say', [
  z.object({ say: z.literal('give'), helper }),
  z.object({ say: z.literal('alive'), helper, part }),
  z.object({
    say: z.literal('done'),
    helper,
    part,
    work: recordedWork,
    position: z.object({ stream: eventStreamName, position: z.int() }).optional(),
  }),
  z.object({ say: z.literal('failed'), helper, part }),
]);
export type HelperMessage = z.infer<typeof helperMessage>;

/** Asks the worker of a scan for a part of it, or tells what came of one; the answer is a part, or whether to go on. */
export const scanPartQuery = defineQuery(
  helperMessage,
  z.object({ part: part.exactOptional(), plans: z.array(folderPlan).readonly().exactOptional(), goOn: z.boolean() }),
);
export type HelperAnswer = z.infer<typeof scanPartQuery.answer>;
