import type { SoundFacts } from './sound-facts.js';
import { soundFormats, type SoundFormat } from './sound-formats.js';

/** Encoding of sound after a conversion. */
export interface FittedSound {
  readonly format: SoundFormat;
  /** Undefined for forms without loss. */
  readonly bitrateKbps: number | undefined;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** Below this MP3 needs a lower sample rate. */
const MP3_FULL_RATE_KBPS = 32;
/** Limits of `transcodeTarget` in the contracts. */
const LOWEST_HZ = 8000;
const HIGHEST_HZ = 192_000;
const CD_HZ = 44_100;
const STEREO = 2;

const highestUpTo = (steps: readonly number[], value: number): number => steps.findLast((step) => step <= value) ?? steps[0] ?? value;

const sampleRate = (format: SoundFormat, sourceHz: number, kbps: number | undefined): number => {
  const { sampleRatesHz } = soundFormats[format];
  const wanted = sourceHz > 0 ? sourceHz : CD_HZ;
  if (format === 'mp3' && kbps !== undefined && kbps < MP3_FULL_RATE_KBPS)
    return highestUpTo(sampleRatesHz.slice(0, 6), Math.min(wanted, 24_000));
  if (sampleRatesHz.length === 0) return Math.min(HIGHEST_HZ, Math.max(LOWEST_HZ, wanted));
  return highestUpTo(sampleRatesHz, wanted);
};

/** The rate of a file is one of its own codec: in another one the same number sounds worse, or better. */
const mostOfSource = ({ codec, isLossless, bitrateBps }: SoundFacts, format: SoundFormat): number =>
  codec === soundFormats[format].codec && !isLossless && bitrateBps > 0 ? Math.round(bitrateBps / 1000) : Number.POSITIVE_INFINITY;

/**
 * Fits the sound of a file into a format at a bit rate: never more channels than the source has, nor a higher bit rate in the same codec, and never more than that
 * codec can hold.
 */
export const fitSound = (source: SoundFacts, format: SoundFormat, wantedKbps: number): FittedSound => {
  const { isLossless, maxChannels, minKbps, maxKbps, steps } = soundFormats[format];
  const channels = Math.min(source.channels > 0 ? source.channels : STEREO, maxChannels);
  if (isLossless) return { format, bitrateKbps: undefined, channels, sampleRateHz: sampleRate(format, source.sampleRateHz, undefined) };
  const fitting = Math.max(minKbps, Math.min(Math.floor(wantedKbps), mostOfSource(source, format), maxKbps));
  const bitrateKbps = steps.length === 0 ? fitting : highestUpTo(steps, fitting);
  return { format, bitrateKbps, channels, sampleRateHz: sampleRate(format, source.sampleRateHz, bitrateKbps) };
};

/** The bit rate of a fitted sound in bits per second; of forms that compress without loss as much as the source takes, if that is without loss too. */
export const fittedBitrateBps = (fitted: FittedSound, source: SoundFacts): number => {
  if (fitted.bitrateKbps !== undefined) return fitted.bitrateKbps * 1000;
  const plain = fitted.sampleRateHz * fitted.channels * 16;
  return fitted.format === 'wav' || !source.isLossless ? plain : Math.min(source.bitrateBps || plain, plain * 2);
};
