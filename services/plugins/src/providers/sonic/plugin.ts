import { definePlugin } from '../../api/plugin.js';
import type { SonicFile } from '../../api/sonic.js';
import { decode, FfmpegUnavailable } from './decode.js';
import { soundFeatures } from './sound-features.js';
import { DIMENSIONS, soundVector } from './sound-vector.js';

const analyse = async (ffmpeg: string, { path, durationMs }: SonicFile, signal: AbortSignal): Promise<Float32Array | undefined> => {
  let samples: Float32Array;
  try {
    samples = await decode({ ffmpeg, path, durationMs, signal });
  } catch (error) {
    // A file that cannot be decoded has no sound; that is no fault of this plug-in, which would rest after some of them.
    if (error instanceof FfmpegUnavailable || signal.aborted) throw error;
    return undefined;
  }
  const features = await soundFeatures(samples, signal);
  return features && soundVector(features);
};

/** Built-in sonic analysis, computed on this machine. */
export default definePlugin({
  apiVersion: 1,
  name: 'sonic',
  title: 'Sonic analysis',
  version: '1.0.0',
  sends: 'Nothing: songs are decoded and analysed on this machine.',
  settings: { ffmpeg: { about: 'The ffmpeg program, version 5 or newer', default: 'ffmpeg' } },
  maxHeapMb: 256,
  start: ({ settings }) => ({
    sonic: {
      form: 'vectors',
      model: 'continuo-sound-1',
      dimensions: DIMENSIONS,
      analyse: (song, { signal }) => analyse(settings['ffmpeg'] ?? 'ffmpeg', song, signal),
    },
  }),
});
