import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { localMediaStore, type RunningService, type ServiceDependencies } from '@continuo/chassis';
import { serveWishes } from './asking/wish-server.js';
import { TranscodeCache } from './cache/transcode-cache.js';
import type { TranscodingConfig } from './config.js';
import type { FfmpegCapabilities } from './ffmpeg/ffmpeg-probe.js';
import { runFfmpeg, warmUp } from './ffmpeg/run-ffmpeg.adapter.js';
import { startByteServer } from './http/byte-server.js';
import { workerMetrics, type WorkerMetrics } from './metrics.js';
import { Slots } from './slots.js';
import { Transcoder } from './work/transcoder.js';

type Dependencies = Pick<ServiceDependencies<TranscodingConfig>, 'config' | 'log' | 'metrics' | 'nats' | 'now'>;

const cacheOf = ({ config, log, now }: Dependencies, metrics: WorkerMetrics): Promise<TranscodeCache> =>
  TranscodeCache.open({
    folder: config.TRANSCODE_CACHE ?? join(config.CONTINUO_DATA, 'transcodes'),
    capBytes: config.TRANSCODE_CACHE_BYTES,
    log,
    metrics: metrics.cache,
    now,
  });

/** Starts what a worker is made of: cache, places, the server of bytes, and answers to wishes. */
export const startWorker = async (deps: Dependencies, capabilities: FfmpegCapabilities): Promise<RunningService> => {
  const { config, log, nats, now } = deps;
  const metrics = workerMetrics(deps.metrics.registry);
  const cache = await cacheOf(deps, metrics);
  const ffmpeg = { path: config.FFMPEG_PATH, niceness: config.TRANSCODE_NICENESS };
  const slots = new Slots(config.TRANSCODE_SLOTS || availableParallelism(), (used) => metrics.slotsUsed.set(used));
  const transcoder = new Transcoder({
    mediaStore: localMediaStore(),
    cache,
    slots,
    run: runFfmpeg(ffmpeg),
    metrics,
    log,
    limits: { videoThreads: config.TRANSCODE_VIDEO_THREADS },
    graceMs: config.TRANSCODE_GRACE_MS,
    problem: capabilities.problem,
    encoders: new Set([...capabilities.audioEncoders, ...capabilities.videoEncoders]),
  });
  if (capabilities.problem === null) await warmUp(ffmpeg);
  const serverOptions = {
    host: config.TRANSCODE_HTTP_HOST,
    port: config.TRANSCODE_HTTP_PORT,
    advertisedUrl: config.TRANSCODE_ADVERTISED_URL,
  };
  const server = await startByteServer({ ...serverOptions, secret: config.CONTINUO_SECRET, now, log, metrics }, transcoder, cache);
  const wishes = serveWishes({ nats, log, transcoder, addresses: server.addresses, workerId: randomUUID() });
  return {
    stop: async () => {
      await wishes.stop();
      await transcoder.drain(config.DRAIN_TIMEOUT_MS);
      await server.stop();
      await cache.close();
    },
  };
};
