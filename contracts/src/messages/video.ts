import { z } from 'zod';
import { genreId, videoId } from './ids.js';
import { epochMs, genreRef } from './track.js';

const text = z.string();

/** Subtitles, or one of several soundtracks, inside a video's file. `index` is the stream's place in it, from 0. */
export const videoStream = z.object({
  index: z.int().nonnegative(),
  codec: text.optional(),
  /** As the file names it, usually three letters of ISO 639-2. */
  language: text.optional(),
  title: text.optional(),
});
export type VideoStream = z.infer<typeof videoStream>;

/** Fields that do not depend on who made the file, shared by the scanned and the recorded form. */
const plainVideoFields = {
  fileName: text.min(1).max(1024),
  sizeBytes: z.int().nonnegative(),
  mtimeMs: epochMs,
  /** SHA-1 (hex) over everything read from the file: equal digests mean nothing to record. */
  digest: z.string(),
  title: text,
  /** ISO 8601, possibly only year or year and month. */
  releaseDate: text.optional(),
  comment: text.optional(),
  durationMs: z.int().nonnegative(),
  /** Container by its usual file suffix: mp4, mkv, webm, avi, mov, mpg, ogv, ts, wmv, flv, 3gp. */
  format: text,
  mime: text,
  videoCodec: text.optional(),
  audioCodec: text.optional(),
  /** Pixels as stored. */
  widthPx: z.int().nonnegative(),
  heightPx: z.int().nonnegative(),
  /** Of the whole file. */
  bitrateBps: z.int().nonnegative(),
  videoBitrateBps: z.int().nonnegative().optional(),
  framesPerSecond: z.number().nonnegative().optional(),
  channels: z.int().nonnegative().optional(),
  sampleRateHz: z.int().nonnegative().optional(),
  /** Embedded subtitles. */
  captions: z.array(videoStream).default([]),
  /** Soundtracks, the first one included. */
  audioTracks: z.array(videoStream).default([]),
} as const;

/** A video as ingestion read it: names, no ids. */
export const scannedVideo = z.object({ ...plainVideoFields, genres: z.array(text.min(1)).default([]) });
export type ScannedVideo = z.infer<typeof scannedVideo>;

/** A video as the log keeps it: genres by id, named in the event. */
export const recordedVideo = z.object({ videoId, ...plainVideoFields, genreIds: z.array(genreId) });
export type RecordedVideo = z.infer<typeof recordedVideo>;

/** Genres that the videos of one event carry, under their canonical names. */
export const videoNames = z.object({ genres: z.array(genreRef) });
export type VideoNames = z.infer<typeof videoNames>;
