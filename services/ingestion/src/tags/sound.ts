import type { ScannedTrack } from '@continuo/contracts';
import type { IAudioMetadata } from 'music-metadata';
import { containerName } from './container.js';

/** What the sound of a file is like. */
export type SoundFields = Pick<
  ScannedTrack,
  'durationMs' | 'format' | 'codec' | 'mime' | 'bitrateBps' | 'bitrateMode' | 'lossless' | 'sampleRateHz' | 'channels' | 'bitDepth'
>;

/** Duration found outside the parser, in seconds. */
export interface SoundHints {
  readonly durationSeconds?: number | undefined;
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;

/** Sound properties of a parsed file; undefined when it holds no sound that could be measured. */
export const soundFrom = (format: IAudioMetadata['format'], sizeBytes: number, hints: SoundHints = {}): SoundFields | undefined => {
  const container = containerName(format.container, format.codec);
  const durationSeconds = positive(hints.durationSeconds) ?? positive(format.duration);
  const sampleRateHz = positive(format.sampleRate);
  if (container === undefined || durationSeconds === undefined || sampleRateHz === undefined) return undefined;
  const averageBps = (sizeBytes * 8) / durationSeconds;
  // An Ogg header names the bit rate that the encoder aimed at, not the one it reached.
  const bitrate = hints.durationSeconds === undefined ? (positive(format.bitrate) ?? averageBps) : averageBps;
  const mode = bitrateMode(format, container.format);
  return {
    ...container,
    durationMs: Math.max(1, Math.round(durationSeconds * 1000)),
    bitrateBps: Math.round(bitrate),
    sampleRateHz: Math.round(sampleRateHz),
    lossless: format.lossless ?? false,
    ...(format.codec ? { codec: format.codec.slice(0, 100) } : {}),
    ...(mode ? { bitrateMode: mode } : {}),
    ...(positive(format.numberOfChannels) ? { channels: Math.round(format.numberOfChannels as number) } : {}),
    ...(positive(format.bitsPerSample) ? { bitDepth: Math.round(format.bitsPerSample as number) } : {}),
  };
};

const bitrateMode = (format: IAudioMetadata['format'], name: string): SoundFields['bitrateMode'] => {
  const profile = format.codecProfile ?? '';
  if (/^cbr/i.test(profile)) return 'cbr';
  if (/^abr/i.test(profile)) return 'abr';
  if (/^v\d|vbr/i.test(profile)) return 'vbr';
  if (['wav', 'aiff', 'dsf', 'dff'].includes(name)) return 'cbr';
  return ['mp3', 'mp2', 'wma'].includes(name) ? undefined : 'vbr';
};
