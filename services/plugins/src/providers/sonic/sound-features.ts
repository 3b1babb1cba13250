import * as meydaModule from 'meyda';
import type { MeydaAudioFeature, MeydaFeaturesObject } from 'meyda';
import { SAMPLE_RATE_HZ } from './decode.js';
import { rhythmOf } from './rhythm.js';
import { momentsOf, quantileOf, stepsOf } from './statistics.js';

// It is CommonJS whose module is what its types call the default export.
const meyda = meydaModule.default as unknown as (typeof meydaModule.default)['default'];

/** Samples of one look; looks follow each other without overlap. */
const FRAME = 2048;
const COEFFICIENTS = 20;
/** Shorter sounds say nothing. */
const FEWEST_FRAMES = 20;
/** Everything is brought to the same loudness first: how loud a song was mastered is not how it sounds. */
const LOUDNESS = 0.1;
/** Below this mean level there is nothing to hear. */
const SILENCE = 1e-5;
/** A look that is this much below the loudest is a pause, and not looked into. */
const PAUSE = 1e-4;
const SEMITONES = 12;
/** Looks between two pauses in which others have their turn. */
const FRAMES_AT_ONCE = 64;

const wanted: MeydaAudioFeature[] = [
  'mfcc',
  'chroma',
  'spectralCentroid',
  'spectralFlatness',
  'spectralRolloff',
  'spectralSpread',
  'zcr',
  'rms',
];

type Frame = Pick<
  MeydaFeaturesObject,
  'mfcc' | 'chroma' | 'spectralCentroid' | 'spectralFlatness' | 'spectralRolloff' | 'spectralSpread' | 'zcr' | 'rms'
>;

const levelOf = (samples: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < samples.length; at += 1) sum += (samples[at] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, samples.length));
};

const framesOf = async (samples: Float32Array, signal: AbortSignal): Promise<Frame[]> => {
  meyda.sampleRate = SAMPLE_RATE_HZ;
  meyda.bufferSize = FRAME;
  meyda.numberOfMFCCCoefficients = COEFFICIENTS;
  meyda.melBands = 40;
  const frames: Frame[] = [];
  for (let from = 0, n = 0; from + FRAME <= samples.length; from += FRAME, n += 1) {
    if (n % FRAMES_AT_ONCE === 0) {
      await new Promise((later) => setImmediate(later));
      signal.throwIfAborted();
    }
    const part = samples.subarray(from, from + FRAME);
    if (levelOf(part) < PAUSE) continue;
    frames.push(meyda.extract(wanted, part) as Frame);
  }
  return frames;
};

const meanChroma = (frames: readonly Frame[]): number[] => {
  const sums = Array.from({ length: SEMITONES }, (_, tone) => frames.reduce((sum, { chroma }) => sum + (chroma[tone] ?? 0), 0));
  const whole = sums.reduce((sum, value) => sum + value, 0);
  return sums.map((value) => (whole > 0 ? value / whole : 1 / SEMITONES));
};

/** Harmony independent of the key: sizes of the Fourier components of the circle of semitones. */
const harmonyOf = (frames: readonly Frame[]): number[] => {
  const chroma = meanChroma(frames);
  return Array.from({ length: SEMITONES / 2 }, (_, n) => {
    let [real, imaginary] = [0, 0];
    for (const [tone, value] of chroma.entries()) {
      const angle = (2 * Math.PI * (n + 1) * tone) / SEMITONES;
      real += value * Math.cos(angle);
      imaginary += value * Math.sin(angle);
    }
    return Math.hypot(real, imaginary);
  });
};

/** Timbre: where each coefficient lies, how much it moves, and how fast. */
const timbreOf = (frames: readonly Frame[]): number[] => {
  const series = Array.from({ length: COEFFICIENTS }, (_, n) => frames.map(({ mfcc }) => mfcc[n] ?? 0));
  const moments = series.map(momentsOf);
  return [
    ...moments.slice(1).map(({ mean }) => mean),
    ...moments.slice(0, 13).map(({ deviation }) => deviation),
    ...series.slice(1, 7).map((values) => momentsOf(stepsOf(values)).deviation),
  ];
};

/** Brightness, noisiness and dynamics. */
const shapeOf = (frames: readonly Frame[]): number[] => {
  const centroid = momentsOf(frames.map((frame) => frame.spectralCentroid));
  const flatness = momentsOf(frames.map((frame) => Math.log(frame.spectralFlatness + 1e-6)));
  const spread = momentsOf(frames.map((frame) => frame.spectralSpread));
  const levels = frames.map(({ rms }) => 20 * Math.log10(rms + 1e-6));
  const middle = momentsOf(levels).mean;
  return [
    centroid.mean,
    centroid.deviation,
    flatness.mean,
    flatness.deviation,
    momentsOf(frames.map((frame) => frame.spectralRolloff)).mean,
    spread.mean,
    spread.deviation,
    Math.log(1 + momentsOf(frames.map(({ zcr }) => zcr)).mean),
    momentsOf(levels).deviation,
    quantileOf(levels, 0.95) - quantileOf(levels, 0.05),
    levels.filter((level) => level < middle - 6).length / levels.length,
  ];
};

/**
 * Feature vector of a sound: timbre 38, harmony 6, shape 11, rhythm 9. Undefined for silence and for what is too short.
 * Changed in any way, its numbers cannot be compared with those of before: the model then gets another name.
 * @throws the reason of `signal`
 */
export const soundFeatures = async (samples: Float32Array, signal: AbortSignal): Promise<number[] | undefined> => {
  const level = levelOf(samples);
  if (level < SILENCE) return undefined;
  const even = samples.map((value) => (value * LOUDNESS) / level);
  const frames = await framesOf(even, signal);
  if (frames.length < FEWEST_FRAMES) return undefined;
  return [...timbreOf(frames), ...harmonyOf(frames), ...shapeOf(frames), ...rhythmOf(even)].map((value) =>
    Number.isFinite(value) ? value : 0,
  );
};
