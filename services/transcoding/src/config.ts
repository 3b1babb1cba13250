import { baseConfig, type Environment } from '@continuo/chassis';
import { z } from 'zod';

/** Settings of the transcoding service. */
export const transcodingConfig = baseConfig.extend({
  /** The ffmpeg program, version 5 or newer; a bare name is looked up in `PATH`. */
  FFMPEG_PATH: z.string().default('ffmpeg'),
});
export type TranscodingConfig = z.infer<typeof transcodingConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
