import { baseConfig } from '@continuo/chassis';
import type { z } from 'zod';

/** Settings of the playback service: those that every service has. */
export const playbackConfig = baseConfig;
export type PlaybackConfig = z.infer<typeof playbackConfig>;
