import type { IAudioMetadata } from 'music-metadata';
import { lastFlacSample } from './flac-frames.js';

/** Bytes at both ends of a file that the checks look at. */
export const HEAD_CHECK_BYTES = 8192;
export const TAIL_CHECK_BYTES = 131_072;

/** Expected and present length of a file, in one unit. */
export interface Extent {
  readonly there: number;
  readonly promised: number;
  readonly unit: 'bytes' | 'samples';
}

/** First and last bytes of a file for the checks. `head` starts behind a leading ID3 tag. */
export interface Ends {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly sizeBytes: number;
  readonly tagBytes: number;
}

/** Samples that the header promises. */
const promisedSamples = ({ duration = 0, sampleRate = 0 }: IAudioMetadata['format']): number => Math.round(duration * sampleRate);

type Check = (ends: Ends, format: IAudioMetadata['format']) => Extent | undefined;

/** Sound bytes by bit rate and duration, where the parser takes both from the header and not from the size of the file. */
const byBitrate: Check = ({ sizeBytes }, { bitrate = 0, duration = 0 }) => {
  const promised = (bitrate * duration) / 8;
  return Number.isFinite(promised) && promised > 0 ? { there: sizeBytes, promised: Math.round(promised), unit: 'bytes' } : undefined;
};

/** A RIFF file names its own length; recorders that never finished leave 0 or all ones. */
const byRiffSize: Check = ({ head, sizeBytes }) => {
  const promised = Buffer.from(head).toString('latin1', 0, 4) === 'RIFF' ? Buffer.from(head).readUInt32LE(4) + 8 : 0;
  return promised > 8 && promised < 0xffff_ffff ? { there: sizeBytes, promised, unit: 'bytes' } : undefined;
};

/** The Xing or Info header of an MP3 names the number of its bytes when the second flag is set. */
const byXingHeader: Check = ({ head, sizeBytes, tagBytes }) => {
  const bytes = Buffer.from(head);
  const at = Math.max(bytes.indexOf('Xing'), bytes.indexOf('Info'));
  if (at < 0 || at + 16 > bytes.length || (bytes.readUInt32BE(at + 4) & 3) !== 3) return undefined;
  return { there: sizeBytes - tagBytes, promised: bytes.readUInt32BE(at + 12), unit: 'bytes' };
};

/** Position where the frames really end. A tail without any frame's start says nothing, unless it is the whole file. */
const byFlacFrames: Check = ({ head, tail, sizeBytes }, format) => {
  const numberOfSamples = promisedSamples(format);
  const bytes = Buffer.from(head);
  const blockSamples = bytes.toString('latin1', 0, 4) === 'fLaC' ? bytes.readUInt16BE(8) : 0;
  if (blockSamples === 0 || numberOfSamples <= 2 * blockSamples) return undefined;
  const last = lastFlacSample(tail, blockSamples, numberOfSamples);
  if (last === undefined && tail.length < sizeBytes) return undefined;
  return { there: last === undefined ? 0 : last + blockSamples, promised: numberOfSamples, unit: 'samples' };
};

/** The last block's index and length (WavPack 4 block header, offsets 16 and 20). */
const byWavPackBlocks: Check = ({ tail }, format) => {
  const numberOfSamples = promisedSamples(format);
  const bytes = Buffer.from(tail);
  const at = bytes.lastIndexOf('wvpk');
  if (at < 0 || at + 24 > bytes.length || numberOfSamples === 0) return undefined;
  return { there: bytes.readUInt32LE(at + 16) + bytes.readUInt32LE(at + 20), promised: numberOfSamples, unit: 'samples' };
};

const checks: Readonly<Record<string, Check>> = {
  mp3: byXingHeader,
  wav: byRiffSize,
  flac: byFlacFrames,
  wv: byWavPackBlocks,
  aiff: byBitrate,
  wma: byBitrate,
  dsf: byBitrate,
  m4a: byBitrate,
};

/** Compares what a file's header promises with what is there; undefined where the format has no cheap way to tell. */
export const extentOf = (format: string, ends: Ends, parsed: IAudioMetadata['format']): Extent | undefined =>
  checks[format]?.(ends, parsed);
