import { z } from 'zod';
import { defineCommand } from '../define.js';

/** Asks a transcoding worker what its ffmpeg can do. `problem` says in one sentence what is missing and the remedy; null when all is well. */
export const transcodeCapabilities = defineCommand(
  'transcode',
  'capabilities',
  z.object({}),
  z.object({
    ffmpeg: z.object({ path: z.string(), version: z.string() }).nullable(),
    problem: z.string().nullable(),
    /** ffmpeg's own names of its audio encoders, sorted, for example `libopus`. */
    audioEncoders: z.array(z.string()),
  }),
);
