import { baseConfig } from '@continuo/chassis';
import { z } from 'zod';

/** Settings of the transcoding service. */
export const transcodingConfig = baseConfig.extend({
  /** The ffmpeg program, version 5 or newer; a bare name is looked up in `PATH`. */
  FFMPEG_PATH: z.string().default('ffmpeg'),
});
export type TranscodingConfig = z.infer<typeof transcodingConfig>;
