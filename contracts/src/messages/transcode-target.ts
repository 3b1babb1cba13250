import { z } from 'zod';

/**
 * Forms that media can be brought into. `ts` is for the segments of HLS, `m4a` is AAC in fragmented MP4, `aac` is AAC in ADTS; `srt` is one of the subtitles in a
 * video's file as text.
 */
export const transcodeFormat = z.enum(['mp3', 'opus', 'ogg', 'aac', 'm4a', 'flac', 'wav', 'mp4', 'webm', 'ts', 'srt']);
export type TranscodeFormat = z.infer<typeof transcodeFormat>;

/** Largest change of the loudness, up or down, dB. */
export const MAX_GAIN_DB = 30;

/** The picture of a video in the new form; it is fitted into the box and never enlarged. */
export const transcodePicture = z.object({
  maxWidthPx: z.int().min(16).max(7680),
  maxHeightPx: z.int().min(16).max(4320),
  bitrateKbps: z.int().min(32).max(100_000),
});

/** Character sets of files of subtitles, as far as they are told apart; UTF-8 and UTF-16 tell themselves. */
export const captionEncoding = z.enum([
  'unicode',
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'koi8-r',
  'shift_jis',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
]);
export type CaptionEncoding = z.infer<typeof captionEncoding>;

/**
 * Target of a transcode. Everything is enumerated or bounded, so that nothing a client says reaches ffmpeg as text.
 * Absent fields stay as in the source, as far as the format can hold it.
 */
export const transcodeTarget = z.object({
  format: transcodeFormat,
  /** Of the sound; without meaning for `flac` and `wav`. Absent: the usual rate of the format. */
  bitrateKbps: z.int().min(8).max(1536).optional(),
  sampleRateHz: z.int().min(8000).max(192_000).optional(),
  channels: z.int().min(1).max(8).optional(),
  /** Copies the sound as it is into the new container. */
  copySound: z.boolean().optional(),
  /** Change of the loudness, dB; absent: none. Workers of a release before make the sound as loud as it is. Without meaning for copied sound. */
  gainDb: z.number().min(-MAX_GAIN_DB).max(MAX_GAIN_DB).optional(),
  /** Start within the source. */
  offsetMs: z
    .int()
    .min(0)
    .max(7 * 86_400_000)
    .default(0),
  /** Length of the part; absent: to the end. */
  lengthMs: z
    .int()
    .min(1)
    .max(7 * 86_400_000)
    .optional(),
  /** Which of several audio tracks, counted from 0. */
  audioTrack: z.int().min(0).max(31).optional(),
  /** Which of several subtitles, counted from 0: the one that `srt` writes out, or that is drawn into the picture. Absent: none is drawn. */
  captionTrack: z.int().min(0).max(63).optional(),
  /** A file of subtitles that is drawn into the picture in place of a track; its path is relative to the folder of the source's catalog. */
  captionFile: z.object({ path: z.string().min(1).max(4096), encoding: captionEncoding }).optional(),
  /** For `mp4`, `webm` and `ts` of a video; absent: the sound alone. */
  picture: transcodePicture.optional(),
});
export type TranscodeTarget = z.infer<typeof transcodeTarget>;

/** The file that is transcoded: within the folder of its catalog, as the gateway found it. */
export const transcodeSource = z.object({
  catalogPath: z.string().min(1).max(4096),
  /** Relative to the catalog's folder. */
  path: z.string().min(1).max(4096),
  sizeBytes: z.int().nonnegative(),
  modifiedAtMs: z.number().nonnegative(),
  /** 0 when it is unknown. */
  durationMs: z.int().nonnegative(),
});
export type TranscodeSource = z.infer<typeof transcodeSource>;
