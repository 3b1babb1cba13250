import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLog } from '@continuo/chassis/testkit';
import { transcodeTarget, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import { Registry } from 'prom-client';
import { localMediaStore } from '@continuo/media-store';
import { TranscodeCache } from '../src/cache/transcode-cache.js';
import { ffmpegProbe } from '../src/ffmpeg/ffmpeg-probe.adapter.js';
import { runFfmpeg } from '../src/ffmpeg/run-ffmpeg.adapter.js';
import { workerMetrics, type WorkerMetrics } from '../src/metrics.js';
import { Slots } from '../src/slots.js';
import { Transcoder, type ResolvedRequest } from '../src/work/transcoder.js';

/** Options of a test transcoder. */
export interface TestTranscoderOptions {
  /** The program; that of the system without it. */
  readonly ffmpegPath?: string;
  readonly slots?: number;
  readonly graceMs?: number;
  readonly capBytes?: number;
  readonly cacheFolder?: string;
}

/** A transcoder over real ffmpeg, with its parts. */
export interface TestTranscoder {
  readonly transcoder: Transcoder;
  readonly cache: TranscodeCache;
  readonly slots: Slots;
  readonly metrics: WorkerMetrics;
  readonly lines: Record<string, unknown>[];
  readonly folder: string;
  look(source: TranscodeSource, wanted?: Partial<TranscodeTarget>): Promise<ResolvedRequest>;
  /** Sum of the counts of a metric, by its name. */
  counted(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** Makes one; its cache lies in a folder of its own unless one is given. */
export const testTranscoder = async (options: TestTranscoderOptions = {}): Promise<TestTranscoder> => {
  const folder = options.cacheFolder ?? (await mkdtemp(join(tmpdir(), 'continuo-transcoder-')));
  const { log, lines } = recordingLog();
  const registry = new Registry();
  const metrics = workerMetrics(registry);
  const cache = await TranscodeCache.open({ folder, capBytes: options.capBytes ?? 1e9, log, metrics: metrics.cache, now: Date.now });
  const capabilities = await ffmpegProbe('ffmpeg')();
  const slots = new Slots(options.slots ?? 4, (used) => metrics.slotsUsed.set(used));
  const transcoder = new Transcoder({
    mediaStore: localMediaStore(),
    cache,
    slots,
    run: runFfmpeg({ path: options.ffmpegPath ?? 'ffmpeg', niceness: 1 }),
    metrics,
    log,
    limits: { videoThreads: 2 },
    graceMs: options.graceMs ?? 200,
    problem: capabilities.problem,
    encoders: new Set([...capabilities.audioEncoders, ...capabilities.videoEncoders]),
  });
  return {
    transcoder,
    cache,
    slots,
    metrics,
    lines,
    folder,
    look: (source, wanted = {}) => transcoder.look({ source, target: transcodeTarget.parse({ format: 'mp3', ...wanted }) }),
    counted: async (name) => {
      const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    stop: async () => {
      await transcoder.drain(0);
      await cache.close();
      if (options.cacheFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Process ids of this process's own ffmpeg children, alive or not yet waited for. */
export const ffmpegChildren = async (): Promise<number[]> => {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    const [, command, parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(status) ?? [];
    if (command === 'ffmpeg' && Number(parent) === process.pid) found.push(Number(name));
  }
  return found;
};

/** Counts the open files of this process. */
export const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
