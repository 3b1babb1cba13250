import type { TranscodeFormat } from '@continuo/contracts';
import { flacHeaderWith, flacSampleCount, FLAC_HEADER_BYTES } from './flac-length.js';
import { wavSizes, WAV_HEADER_BYTES } from './wav-length.js';

/** Bytes that are complete but for what their beginning should say of their end. */
export interface CompletableBytes {
  readonly writtenBytes: number;
  peek(position: number, length: number): Promise<Buffer>;
  patch(position: number, piece: Uint8Array): Promise<void>;
}

/** Bytes at the end that are searched for the last frame. */
const TAIL_BYTES = 256 * 1024;

const completeFlac = async (bytes: CompletableBytes): Promise<void> => {
  const header = await bytes.peek(0, FLAC_HEADER_BYTES);
  const tail = await bytes.peek(Math.max(FLAC_HEADER_BYTES, bytes.writtenBytes - TAIL_BYTES), TAIL_BYTES);
  const samples = flacSampleCount(header, tail);
  if (samples !== undefined) await bytes.patch(0, flacHeaderWith(header, samples));
};

const completeWav = async (bytes: CompletableBytes): Promise<void> => {
  for (const { position, sizeBytes } of wavSizes(await bytes.peek(0, WAV_HEADER_BYTES), bytes.writtenBytes)) {
    const field = Buffer.alloc(4);
    field.writeUInt32LE(sizeBytes);
    await bytes.patch(position, field);
  }
};

const nothing = async (): Promise<void> => undefined;

/**
 * Patches the header at a transcode's end: ffmpeg writes into a pipe and cannot go back, so that some formats do not know their own length. Nothing becomes longer or
 * shorter by it: whoever has read the first part while it was made reads on in the finished file.
 */
export const completerOf = (format: TranscodeFormat): ((bytes: CompletableBytes) => Promise<void>) => {
  if (format === 'flac') return completeFlac;
  return format === 'wav' ? completeWav : nothing;
};
