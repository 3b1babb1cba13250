import { baseConfig, type Environment } from '@continuo/chassis';
import { z } from 'zod';

/** Settings of the playback service. */
export const playbackConfig = baseConfig.extend({
  /** Where the Music Player Daemon listens that plays on the server itself: a host, or the path of a socket. Asked only when the preference `localplay_controller` says `mpd`. */
  MPD_HOST: z.string().min(1).default('127.0.0.1'),
  /** Its port. */
  MPD_PORT: z.coerce.number().int().min(1).max(65_535).default(6600),
  /** Its password, if it asks for one. */
  MPD_PASSWORD: z.string().min(1).optional(),
  /** How long it may take to do what it is told. */
  MPD_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(3000),
});
export type PlaybackConfig = z.infer<typeof playbackConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
