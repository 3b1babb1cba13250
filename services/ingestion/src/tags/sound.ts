import type { ScannedTrack } from '@continuo/contracts';
import type { IAudioMetadata } from 'music-metadata';
import { containerName } from './container.js';

/** Sound properties of a file. */
export type SoundFields = Pick<
  ScannedTrack,
  'durationMs' | 'format' | 'codec' | 'mime' | 'bitrateBps' | 'bitrateMode' | 'lossless' | 'sampleRateHz' | 'channels' | 'bitDepth'
>;

/** Duration found outside the parser, in seconds. */
export interface SoundHints {
  readonly durationSeconds?: number | undefined;
  /** Read where the parser does not look. */
  readonly sampleRateHz?: number | undefined;
  readonly channels?: number | undefined;
  readonly codec?: string | undefined;
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;

/** Sound properties of a parsed file; undefined when it holds no sound that could be measured. */
export const soundFrom = (given: IAudioMetadata['format'], sizeBytes: number, hints: SoundHints = {}): SoundFields | undefined => {
  const format = hints.codec === undefined ? given : { ...given, codec: hints.codec };
  const container = containerName(format.container, format.codec);
  const durationSeconds = positive(hints.durationSeconds) ?? positive(format.duration);
  const sampleRateHz = positive(hints.sampleRateHz) ?? positive(format.sampleRate);
  const channels = positive(hints.channels) ?? positive(format.numberOfChannels);
  if (container === undefined || durationSeconds === undefined || sampleRateHz === undefined) return undefined;
  const averageBps = (sizeBytes * 8) / durationSeconds;
  // An Ogg header names the bit rate that the encoder aimed at, not the one it reached.
  const bitrate = hints.durationSeconds === undefined ? (positive(format.bitrate) ?? averageBps) : averageBps;
  const mode = bitrateMode(format, container.format);
  const lossless = isLossless(format, container.format);
  return {
    ...container,
    durationMs: Math.max(1, Math.round(durationSeconds * 1000)),
    bitrateBps: Math.round(bitrate),
    sampleRateHz: Math.round(sampleRateHz),
    lossless,
    ...(format.codec ? { codec: codecName(format.codec) } : {}),
    ...(mode ? { bitrateMode: mode } : {}),
    ...(channels ? { channels: Math.round(channels) } : {}),
    // A lossy codec keeps no samples, whatever size its container names.
    ...(lossless && positive(format.bitsPerSample) ? { bitDepth: Math.round(format.bitsPerSample as number) } : {}),
  };
};

/** Matroska has short names for what is called by its layer everywhere else. */
const codecName = (codec: string): string => codec.replace(/^MPEG\/L([123])$/, 'MPEG Layer $1').slice(0, 100);

/** Codecs that keep every sample, and containers in which the parser does not say so of them: floats in WAV, byte orders in AIFF-C, all of them in Matroska. */
const LOSSLESS = /^(?:flac|alac|wavpack|tta|pcm)|float|ieee|byte swapped|not compressed|^(?:sowt|twos|none|in24|in32|fl32|fl64)$/i;
const SAYS_NOTHING = new Set(['wav', 'aiff', 'mka']);

const isLossless = ({ lossless, codec = '' }: IAudioMetadata['format'], name: string): boolean =>
  lossless === true || (SAYS_NOTHING.has(name) && LOSSLESS.test(codec));

const bitrateMode = (format: IAudioMetadata['format'], name: string): SoundFields['bitrateMode'] => {
  const profile = format.codecProfile ?? '';
  if (/^cbr/i.test(profile)) return 'cbr';
  if (/^abr/i.test(profile)) return 'abr';
  if (/^v\d|vbr/i.test(profile)) return 'vbr';
  if (['wav', 'aiff', 'dsf', 'dff'].includes(name)) return 'cbr';
  return ['mp3', 'mp2', 'wma'].includes(name) ? undefined : 'vbr';
};
