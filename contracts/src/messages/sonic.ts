import { z } from 'zod';
import { token } from './ids.js';

/** Id of a run of the sonic analysis: a random lower-case UUID. */
export const sonicRunId = token.brand<'SonicRunId'>();
export type SonicRunId = z.infer<typeof sonicRunId>;

/** Name of a space of vectors; those of different spaces cannot be compared. */
export const sonicModel = z.string().min(1).max(100);

/** Numbers of a vector that is kept. */
export const MAX_SONIC_DIMENSIONS = 2048;

/** Songs whose sounds are written together: one aggregate for so many neighbouring ids. */
export const SOUNDS_PER_BLOCK = 16;

/** The block of songs that a song's sound is written with. */
export const soundBlockOf = (songId: number): number => Math.floor(songId / SOUNDS_PER_BLOCK);

/** Parts that a run has at most, so that its end is found out in little space. */
export const MAX_SONIC_PARTS = 1000;

/** Which file a word on a song is about: its size and time then. */
export const soundFile = z.object({ sizeBytes: z.int().nonnegative(), modifiedAtMs: z.int().nonnegative() });
export type SoundFile = z.infer<typeof soundFile>;

/** A vector in eight bits per number, base64: `value = scale * byte`, bytes from -127 to 127. */
export const soundVector = z.object({ scale: z.number().nonnegative(), bytes: z.base64().max(4 * Math.ceil(MAX_SONIC_DIMENSIONS / 3)) });
export type SoundVector = z.infer<typeof soundVector>;

/** Outcomes of the songs of one part of a run; numbers of songs. */
export const sonicCounts = z.object({
  analysed: z.int().nonnegative(),
  /** The same sound was known from another file, or from before its tags changed. */
  reused: z.int().nonnegative(),
  /** Nothing had changed. */
  known: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});
export type SonicCounts = z.infer<typeof sonicCounts>;

/** A song and how much it sounds like another one: 1 the same, 0 nothing alike, -1 not known. */
export const sonicMatch = z.object({ songId: z.int().positive(), similarity: z.number().min(-1).max(1) });
export type SonicMatch = z.infer<typeof sonicMatch>;
