import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SERVICE_DEPENDENCIES, type JobOptions, type Running, type ServiceDependencies, type ServiceHooks } from '@continuo/chassis';
import { openCatalogMedia, type CatalogMedia } from '@continuo/media-store';
import { transcodeOne, type TranscodeWorkerState } from '@continuo/contracts';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { serveTranscodeRequests } from './requests/request-server.js';
import { TranscodeCache } from './cache/transcode-cache.js';
import { batchSlotsOf, slotsOf, type TranscodingConfig } from './config.js';
import type { FfmpegCapabilities } from './ffmpeg/ffmpeg-probe.js';
import { ffmpegProbe } from './ffmpeg/ffmpeg-probe.adapter.js';
import { runFfmpeg, warmUp } from './ffmpeg/run-ffmpeg.adapter.js';
import { startByteServer, type ByteServer } from './http/byte-server.js';
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

/** Components of a worker, shared by its handlers and servers. */
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

/** Injection token of the {@link WorkerParts}. */
export const WORKER_PARTS = Symbol('WorkerParts');

/** Names the machine, for people, and this very start. */
const newWorkerId = (): string =>
  `${hostname()
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 50)}-${randomUUID().slice(0, 8)}`;

/** Probes ffmpeg and opens the cache. A worker without ffmpeg starts and says what is missing. */
export const openWorker = async (deps: Dependencies): Promise<WorkerParts> => {
  const { config, log } = deps;
  const capabilities = await ffmpegProbe(config.FFMPEG_PATH)();
  if (capabilities.problem === null)
    log.info({ ffmpeg: capabilities.ffmpeg, audioEncoders: capabilities.audioEncoders.length }, 'ffmpeg found');
  else log.error({ problem: capabilities.problem }, 'transcoding is unavailable');
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

/** Serves transcode requests and their bytes. */
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown, Pick<ServiceHooks, 'readinessParts' | 'jobOptions'> {
  #server: ByteServer | undefined;
  #requests: Running | undefined;

  constructor(
    @Inject(SERVICE_DEPENDENCIES) private readonly deps: Dependencies,
    @Inject(WORKER_PARTS) private readonly parts: WorkerParts,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { config, log, nats, now, secrets, tracer } = this.deps;
    const { workerId, transcoder, cache, metrics } = this.parts;
    const place = { host: config.TRANSCODE_HTTP_HOST, port: config.TRANSCODE_HTTP_PORT, advertisedUrl: config.TRANSCODE_ADVERTISED_URL };
    this.#server = await startByteServer({ ...place, secret: secrets, now, log, metrics }, transcoder, cache);
    this.#requests = serveTranscodeRequests({
      nats,
      log,
      tracer,
      transcoder,
      addresses: this.#server.addresses,
      workerId,
      describe: () => this.#describe(),
    });
  }

  #describe(): TranscodeWorkerState {
    const { workerId, slots, cache, capabilities, transcoder } = this.parts;
    const { bytes: cacheBytes, capBytes: cacheCapBytes } = cache.use;
    return {
      workerId,
      slots: slots.total,
      slotsUsed: slots.total - slots.free,
      batchSlots: batchSlotsOf(this.deps.config),
      cacheBytes,
      cacheCapBytes,
      ffmpegVersion: capabilities.ffmpeg?.version ?? null,
      problem: capabilities.problem,
      audioEncoders: [...capabilities.audioEncoders],
      making: transcoder.underWay(),
    };
  }

  readinessParts(): Readonly<Record<string, string>> {
    const { capabilities, slots } = this.parts;
    return { ffmpeg: capabilities.problem ?? 'ok', places: `${slots.total - slots.free} of ${slots.total} taken` };
  }

  /** A worker that can make nothing leaves the work to the others. */
  jobOptions(): Readonly<Record<string, JobOptions>> {
    return { [transcodeOne.subject]: { concurrency: this.parts.capabilities.problem === null ? batchSlotsOf(this.deps.config) : 0 } };
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { transcoder, cache, media } = this.parts;
    const { DRAIN_TIMEOUT_MS } = this.deps.config;
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    await this.#requests?.stop();
    await transcoder.drain(DRAIN_TIMEOUT_MS);
    await this.#server?.drain(Math.max(0, deadlineMs - performance.now()));
    await Promise.all([cache.close(), media.close()]);
  }
}
