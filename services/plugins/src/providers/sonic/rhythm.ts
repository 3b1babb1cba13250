import { SAMPLE_RATE_HZ } from './decode.js';
import { momentsOf } from './statistics.js';

const HOP = 512;
const HOPS_PER_SECOND = SAMPLE_RATE_HZ / HOP;
/** Bounds of the bands of tempo, beats per minute. */
const TEMPI = [40, 60, 80, 100, 120, 150, 200];
const QUIET = 1e-6;

/** Onset strength of each moment against the one before; beats stand out. */
const onsetsOf = (samples: Float32Array): Float64Array => {
  const onsets = new Float64Array(Math.floor(samples.length / HOP));
  let before = Math.log(QUIET);
  for (let hop = 0; hop < onsets.length; hop += 1) {
    let energy = 0;
    let last = samples[hop * HOP] ?? 0;
    // The difference of neighbours weighs high sounds, where attacks are.
    for (let at = hop * HOP; at < (hop + 1) * HOP; at += 1) {
      const value = samples[at] ?? 0;
      energy += (value - last) ** 2;
      last = value;
    }
    const loud = Math.log(energy / HOP + QUIET);
    onsets[hop] = Math.max(0, loud - before);
    before = loud;
  }
  return onsets;
};

const correlation = (values: Float64Array, lag: number, mean: number): number => {
  let sum = 0;
  for (let at = lag; at < values.length; at += 1) sum += ((values[at] ?? 0) - mean) * ((values[at - lag] ?? 0) - mean);
  return sum;
};

/** Rhythm features: periodicity per band of tempo (0 to 1), strength of attacks, their spread, strength of the strongest beat. */
export const rhythmOf = (samples: Float32Array): number[] => {
  const onsets = onsetsOf(samples);
  const { mean, deviation } = momentsOf(onsets);
  const whole = correlation(onsets, 0, mean);
  const bands = TEMPI.slice(1).map((fastest, band) => {
    const shortest = Math.ceil((60 / fastest) * HOPS_PER_SECOND);
    const longest = Math.floor((60 / (TEMPI[band] ?? fastest)) * HOPS_PER_SECOND);
    let best = 0;
    for (let lag = shortest; lag <= longest && lag < onsets.length; lag += 1) best = Math.max(best, correlation(onsets, lag, mean));
    return whole > 0 ? best / whole : 0;
  });
  return [...bands, mean, deviation, Math.max(...bands)];
};
