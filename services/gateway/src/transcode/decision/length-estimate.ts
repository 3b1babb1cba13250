import type { ConvertedStream } from './decide-stream.js';
import { soundFormats, type SoundFormat } from './sound-formats.js';

const BITS = 8;
const MS = 1000;
/** Heads, tables and pages of the container, and what encoders put before the first and behind the last sound. */
const CONTAINER_BYTES = 1024;
const AROUND_SECONDS = 0.1;
const WAV_HEAD_BYTES = 128;
/** A container may take a little more than the one that the sound was in. */
const REMUX_SPREAD = 1.03;

/** Returns the duration of a conversion of a file of this length, ms. */
export const convertedMs = ({ target }: Pick<ConvertedStream, 'target'>, durationMs: number): number =>
  Math.max(0, Math.min(target.lengthMs ?? Number.POSITIVE_INFINITY, durationMs - target.offsetMs));

/**
 * Estimates the greatest size of a conversion by bit rate and time. It is rather too much than too little, because what is beyond an announced length is
 * lost, and what is missing is filled up. Undefined where the bit rate says nothing: FLAC, and files of unknown length.
 */
export const estimatedBytes = (stream: ConvertedStream, durationMs: number): number | undefined => {
  const { target, output, kind } = stream;
  const spread = kind === 'remux' ? REMUX_SPREAD : soundFormats[target.format as SoundFormat].spread;
  if (durationMs <= 0 || output.bitrateBps <= 0 || spread === 0) return undefined;
  const bytesPerSecond = output.bitrateBps / BITS;
  const bytes = bytesPerSecond * (convertedMs(stream, durationMs) / MS);
  if (target.format === 'wav') return Math.ceil(bytes) + WAV_HEAD_BYTES;
  return Math.ceil(bytes * spread + bytesPerSecond * AROUND_SECONDS) + CONTAINER_BYTES;
};
