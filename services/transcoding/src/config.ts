import { availableParallelism } from 'node:os';
import { baseConfig, outboundSettings, type Environment } from '@continuo/chassis';
import { z } from 'zod';
import { storageSettings } from '@continuo/media-store';

const GIB = 1024 ** 3;

/** Settings of the transcoding service. */
export const transcodingConfig = baseConfig.extend({
  /** The ffmpeg program, version 5 or newer; a bare name is looked up in `PATH`. */
  FFMPEG_PATH: z.string().default('ffmpeg'),
  /** Number of ffmpeg that one worker runs at once; 0: as many as it may use processors. */
  TRANSCODE_SLOTS: z.coerce.number().int().min(0).max(256).default(0),
  /** Number of them that may work ahead for batches; they give their slots up to listeners. 0: all but one, and at least one. */
  TRANSCODE_BATCH_SLOTS: z.coerce.number().int().min(0).max(256).default(0),
  /** Niceness of ffmpeg; 19 yields most to other programs. */
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
  /** Size limit of the cache; the least recently used entries are evicted. 0 keeps nothing. */
  TRANSCODE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(4 * GIB),
  /** Time that a transcode goes on after its last listener has gone. */
  TRANSCODE_GRACE_MS: z.coerce.number().int().min(0).default(3000),
  ...outboundSettings,
  ...storageSettings,
});
export type TranscodingConfig = z.infer<typeof transcodingConfig>;

/** Number of ffmpeg that this worker runs at once. */
export const slotsOf = ({ TRANSCODE_SLOTS }: Pick<TranscodingConfig, 'TRANSCODE_SLOTS'>): number =>
  TRANSCODE_SLOTS || availableParallelism();

/** Number of them that may work ahead for batches. */
export const batchSlotsOf = (config: Pick<TranscodingConfig, 'TRANSCODE_SLOTS' | 'TRANSCODE_BATCH_SLOTS'>): number =>
  Math.min(slotsOf(config), config.TRANSCODE_BATCH_SLOTS || Math.max(1, slotsOf(config) - 1));

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
