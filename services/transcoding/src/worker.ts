import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openCatalogMedia, type CatalogMedia, type RunningService, type ServiceDependencies } from '@continuo/chassis';
import { serveWishes } from './asking/wish-server.js';
import { TranscodeCache } from './cache/transcode-cache.js';
import { slotsOf, type TranscodingConfig } from './config.js';
import type { FfmpegCapabilities } from './ffmpeg/ffmpeg-probe.js';
import { ffmpegProbe } from './ffmpeg/ffmpeg-probe.adapter.js';
import { runFfmpeg, warmUp } from './ffmpeg/run-ffmpeg.adapter.js';
import { startByteServer } from './http/byte-server.js';
import { workerMetrics, type WorkerMetrics } from './metrics.js';
import { Slots } from './slots.js';
import { Transcoder } from './work/transcoder.js';

type Dependencies = Pick<
  ServiceDependencies<TranscodingConfig>,
  'config' | 'log' | 'metrics' | 'tracer' | 'nats' | 'now' | 'db' | 'sealer' | 'secrets'
>;

const cacheOf = ({ config, log, now }: Dependencies, metrics: WorkerMetrics): Promise<TranscodeCache> =>
  TranscodeCache.open({
    folder: config.TRANSCODE_CACHE ?? join(config.CONTINUO_DATA, 'transcodes'),
    capBytes: config.TRANSCODE_CACHE_BYTES,
    log,
    metrics: metrics.cache,
    now,
  });

/** What a worker works with, made once for its handlers and its servers. */
export interface WorkerParts {
  /** Lower-case letters, digits and dashes; new with each start. */
  readonly workerId: string;
  readonly capabilities: FfmpegCapabilities;
  readonly cache: TranscodeCache;
  readonly slots: Slots;
  readonly transcoder: Transcoder;
  readonly metrics: WorkerMetrics;
  readonly media: CatalogMedia;
}

const made = new WeakMap<object, Promise<WorkerParts>>();

/** The parts of the worker of these dependencies; whoever asks first makes them. */
export const workerParts = (deps: Dependencies): Promise<WorkerParts> => {
  const parts = made.get(deps) ?? makeParts(deps);
  made.set(deps, parts);
  return parts;
};

/** Names the machine, for people, and this very start. */
const newWorkerId = (): string =>
  `${hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 50)}-${randomUUID().slice(0, 8)}`;

const makeParts = async (deps: Dependencies): Promise<WorkerParts> => {
  const { config, log } = deps;
  const capabilities = await ffmpegProbe(config.FFMPEG_PATH)();
  const metrics = workerMetrics(deps.metrics.registry);
  const cache = await cacheOf(deps, metrics);
  const ffmpeg = { path: config.FFMPEG_PATH, niceness: config.TRANSCODE_NICENESS };
  if (capabilities.problem === null) await warmUp(ffmpeg);
  const slots = new Slots(slotsOf(config), (used) => metrics.slotsUsed.set(used));
  const media = openCatalogMedia({ db: deps.db, sealer: deps.sealer, secrets: deps.secrets, metrics: deps.metrics, config });
  const transcoder = new Transcoder({
    mediaStore: media.store,
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
  return { workerId: newWorkerId(), capabilities, cache, slots, transcoder, metrics, media };
};

/** Opens a worker: the server of its bytes, and answers to wishes. */
export const startWorker = async (deps: Dependencies): Promise<RunningService> => {
  const { config, log, nats, now } = deps;
  const { workerId, capabilities, slots, transcoder, cache, metrics, media } = await workerParts(deps);
  const place = { host: config.TRANSCODE_HTTP_HOST, port: config.TRANSCODE_HTTP_PORT, advertisedUrl: config.TRANSCODE_ADVERTISED_URL };
  const server = await startByteServer({ ...place, secret: deps.secrets, now, log, metrics }, transcoder, cache);
  const wishes = serveWishes({ nats, log, tracer: deps.tracer, transcoder, addresses: server.addresses, workerId });
  return {
    parts: () => ({ ffmpeg: capabilities.problem ?? 'ok', places: `${slots.total - slots.free} of ${slots.total} taken` }),
    stop: async () => {
      const deadlineMs = performance.now() + config.DRAIN_TIMEOUT_MS;
      await wishes.stop();
      await transcoder.drain(config.DRAIN_TIMEOUT_MS);
      await server.drain(Math.max(0, deadlineMs - performance.now()));
      await Promise.all([cache.close(), media.close()]);
    },
  };
};
