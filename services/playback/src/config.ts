import { baseConfig, type Environment } from '@continuo/chassis';
import type { z } from 'zod';

/** Settings of the playback service: those that every service has. */
export const playbackConfig = baseConfig;
export type PlaybackConfig = z.infer<typeof playbackConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
