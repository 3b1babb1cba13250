import { availableParallelism } from 'node:os';
import { baseConfig, outboundSettings, type Environment } from '@continuo/chassis';
import { pluginSettings } from '@continuo/plugins';
import { z } from 'zod';
import { storageSettings } from '@continuo/media-store';

/** Settings of the sonic service. The sonic plug-in that it uses is the first one in `PLUGINS`. */
export const sonicConfig = baseConfig.extend({
  ...pluginSettings,
  ...outboundSettings,
  ...storageSettings,
  /** The ffmpeg program, version 5 or newer; a bare name is looked up in `PATH`. */
  FFMPEG_PATH: z.string().default('ffmpeg'),
  /** Number of songs that one worker analyses at once; 0: half as many as it may use processors, and at least one. */
  SONIC_SLOTS: z.coerce.number().int().min(0).max(256).default(0),
  /** Longest time for one song. */
  SONIC_SONG_TIMEOUT_MS: z.coerce.number().int().min(1000).default(120_000),
  /** Pause between two looks for songs that are not analysed yet, in minutes; 0: only when an operator asks for it. */
  SONIC_LOOK_MINUTES: z.coerce.number().min(0).max(1440).default(2),
});
export type SonicConfig = z.infer<typeof sonicConfig>;

/** Number of songs that this worker analyses at once. */
export const slotsOf = ({ SONIC_SLOTS }: Pick<SonicConfig, 'SONIC_SLOTS'>): number =>
  SONIC_SLOTS || Math.max(1, Math.floor(availableParallelism() / 2));

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
