import { availableParallelism } from 'node:os';
import { baseConfig, outboundSettings, placeSettings, type Environment } from '@continuo/chassis';
import { z } from 'zod';

const GIB = 1024 ** 3;

/** Settings of the transcoding service. */
export const transcodingConfig = baseConfig.extend({
  /** The ffmpeg program, version 5 or newer; a bare name is looked up in `PATH`. */
  FFMPEG_PATH: z.string().default('ffmpeg'),
  /** How many ffmpeg one worker runs at once; 0: as many as it may use processors. */
  TRANSCODE_SLOTS: z.coerce.number().int().min(0).max(256).default(0),
  /** How many of them may make media ahead, for batches; they give up their places to people who listen. 0: all but one, and at least one. */
  TRANSCODE_BATCH_SLOTS: z.coerce.number().int().min(0).max(256).default(0),
  /** How much ffmpeg yields to everything else on the machine; 19 yields most. */
  TRANSCODE_NICENESS: z.coerce.number().int().min(1).max(19).default(5),
  /** Threads of the encoder of one video. */
  TRANSCODE_VIDEO_THREADS: z.coerce.number().int().min(1).max(64).default(2),
  /** Port on which a worker gives its bytes to the gateways; 0 takes a free one. */
  TRANSCODE_HTTP_PORT: z.coerce.number().int().min(0).max(65535).default(0),
  /** Address on which it listens. Gateways on other machines need `0.0.0.0`, or one of this machine's. */
  TRANSCODE_HTTP_HOST: z.string().default('127.0.0.1'),
  /** Address under which gateways reach this very worker, such as `http://10.0.3.7:7800`; by default that of the listener, by the machine's name where it listens on all. */
  TRANSCODE_ADVERTISED_URL: z.url().optional(),
  /** Folder for finished transcodes; `transcodes` in `CONTINUO_DATA` by default. Workers may share it. */
  TRANSCODE_CACHE: z.string().optional(),
  /** How much it may hold; what was not used for longest is thrown away. 0 keeps nothing. */
  TRANSCODE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(4 * GIB),
  /** How long a transcode goes on after its last listener has gone. */
  TRANSCODE_GRACE_MS: z.coerce.number().int().min(0).default(3000),
  ...outboundSettings,
  ...placeSettings,
});
export type TranscodingConfig = z.infer<typeof transcodingConfig>;

/** How many ffmpeg this worker runs at once. */
export const slotsOf = ({ TRANSCODE_SLOTS }: Pick<TranscodingConfig, 'TRANSCODE_SLOTS'>): number =>
  TRANSCODE_SLOTS || availableParallelism();

/** How many of them may make media ahead. */
export const batchSlotsOf = (config: Pick<TranscodingConfig, 'TRANSCODE_SLOTS' | 'TRANSCODE_BATCH_SLOTS'>): number =>
  Math.min(slotsOf(config), config.TRANSCODE_BATCH_SLOTS || Math.max(1, slotsOf(config) - 1));

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
