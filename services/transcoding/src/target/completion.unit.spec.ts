import { describe, expect, it } from 'vitest';
import { completerOf } from './completion.js';
import { flacHeaderWith, flacSampleCount, FLAC_HEADER_BYTES } from './flac-length.js';
import { wavSizes } from './wav-length.js';

const crcOf = (bytes: readonly number[]): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
};
/** A frame's header: 4608 samples, or a 16-bit number of them; 44.1 kHz stereo. */
const frame = (number: number[], samples?: number): Buffer => {
  const size = samples === undefined ? [] : [(samples - 1) >> 8, (samples - 1) & 0xff];
  const head = [0xff, 0xf8, ((samples === undefined ? 5 : 7) << 4) | 9, 0x18, ...number, ...size];
  return Buffer.from([...head, crcOf(head)]);
};
const sound = Buffer.alloc(100, 0x5a);
const header = Buffer.concat([
  Buffer.from('fLaC\0\0\0\x22', 'latin1'),
  Buffer.from([0x12, 0, 0x12, 0]),
  Buffer.alloc(6),
  Buffer.from([0x0a, 0xc4, 0x42, 0xf0]),
  Buffer.alloc(20),
]);

describe('the number of samples of a FLAC stream', () => {
  it('is that of the full blocks and of the last one', () => {
    const tail = Buffer.concat([sound, frame([0xc4, 0x80]), sound, frame([0xc4, 0x81], 1000), sound]);
    expect(flacSampleCount(header, tail)).toBe(257 * 4608 + 1000);
  });

  it('is not taken from sound that looks like a frame', () => {
    const tail = Buffer.concat([frame([3]), sound, frame([4]), sound, frame([0x70]), sound]);
    expect(flacSampleCount(header, tail)).toBe(5 * 4608);
  });

  it('is that of the only frame', () => {
    expect(flacSampleCount(header, Buffer.concat([frame([0], 77), sound]))).toBe(77);
  });

  it('is unknown without a frame, or for another kind of file', () => {
    expect(flacSampleCount(header, sound)).toBeUndefined();
    expect(flacSampleCount(header, Buffer.alloc(3))).toBeUndefined();
    expect(flacSampleCount(Buffer.alloc(FLAC_HEADER_BYTES), frame([0]))).toBeUndefined();
  });

  it('is written where decoders look for it', () => {
    const changed = flacHeaderWith(header, 2 ** 33 + 5);
    expect([...changed.subarray(18, 26)]).toEqual([0x0a, 0xc4, 0x42, 0xf2, 0, 0, 0, 5]);
    expect(changed.length).toBe(header.length);
  });
});

describe('the sizes of a WAVE file', () => {
  const chunk = (name: string, size: number, body = Buffer.alloc(size)): Buffer => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, body]);
  };
  const start = Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1');

  it('are found behind whatever stands before the sound', () => {
    const file = Buffer.concat([
      start,
      chunk('fmt ', 16),
      chunk('odd ', 3, Buffer.alloc(4)),
      chunk('data', 0xff_ff_ff_ff, Buffer.alloc(64)),
    ]);
    expect(wavSizes(file, file.length)).toEqual([
      { position: 4, sizeBytes: file.length - 8 },
      { position: file.length - 68, sizeBytes: 64 },
    ]);
  });

  it('stay unknown for other files and for those that are too large', () => {
    expect(wavSizes(Buffer.from('RIFX'), 100)).toEqual([]);
    expect(wavSizes(Buffer.concat([start, chunk('fmt ', 16)]), 100)).toEqual([]);
    expect(wavSizes(Buffer.concat([start, chunk('data', 0)]), 2 ** 32 + 8)).toEqual([]);
  });
});

it('most formats know all that they say from the beginning', async () => {
  const never = (): Promise<never> => Promise.reject(new Error('touched'));
  for (const format of ['mp3', 'opus', 'ogg', 'aac', 'm4a', 'mp4', 'webm', 'ts', 'srt'] as const)
    await expect(completerOf(format)({ writtenBytes: 1, peek: never, patch: never })).resolves.toBeUndefined();
});
