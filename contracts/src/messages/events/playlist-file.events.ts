import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId } from '../ids.js';
import { playlistId } from './playlist.events.js';

/** Outcomes of a playlist file of a catalog. */
export const playlistFileOutcomes = ['imported', 'edited', 'deleted', 'nothing-found', 'unusable'] as const;

/** As many entries without a song as an event names; their number is whole. */
export const MAX_UNMATCHED_SAMPLES = 50;
/** Longest text that an event quotes from a playlist file, in characters. */
export const MAX_QUOTED_CHARS = 500;

const quoted = z.string().max(MAX_QUOTED_CHARS);

/** An entry of a playlist file for which no song was found. */
export const unmatchedEntry = z.object({
  /** From 1. */
  number: z.int().positive(),
  location: quoted,
  says: quoted,
  reason: z.enum(['not-found', 'remote', 'several', 'says-nothing']),
});
export type UnmatchedEntry = z.infer<typeof unmatchedEntry>;

/** Everything about a playlist file and its list. */
export const playlistFileFact = z.object({
  catalogId,
  /** Relative to the catalog's root. */
  path: z.string(),
  /** SHA-256 of the content, hexadecimal. */
  digest: z.string(),
  sizeBytes: z.int().nonnegative(),
  mtimeMs: z.int().nonnegative(),
  outcome: z.enum(playlistFileOutcomes),
  /** The list that was made of it; null while there was none. */
  playlistId: playlistId.nullable(),
  /** The list's revision when it last held what the file says: another one means that somebody has changed the list. */
  revision: z.int().nonnegative().nullable(),
  entryCount: z.int().nonnegative(),
  songCount: z.int().nonnegative(),
  /** Why the outcome is not `imported`. */
  message: quoted.nullable(),
  unmatched: z.array(unmatchedEntry).max(MAX_UNMATCHED_SAMPLES),
});
export type PlaylistFileFact = z.infer<typeof playlistFileFact>;

/** A scan has read a playlist file; what is said here is true of it from now on. */
export const playlistFileRead = defineEvent('PlaylistFileRead', playlistFileFact);
/** The file lies elsewhere in the catalog now, and its list goes with it. */
export const playlistFileMoved = defineEvent('PlaylistFileMoved', z.object({ catalogId, path: z.string(), to: z.string() }));

export type PlaylistFileEvent = EventOf<typeof playlistFileRead | typeof playlistFileMoved>;
