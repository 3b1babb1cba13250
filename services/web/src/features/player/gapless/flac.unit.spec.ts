import { describe, expect, it } from 'vitest';
import { FlacFrames, readFlacInfo } from './flac.js';
import { UnjoinableError } from './sound-format.js';

const BLOCK = 4096;

const crc8 = (bytes: readonly number[]): number =>
  bytes.reduce((crc, byte) => {
    let next = crc ^ byte;
    for (let bit = 0; bit < 8; bit += 1) next = next & 0x80 ? ((next << 1) ^ 7) & 0xff : next << 1;
    return next;
  }, 0);

/** A frame of 4096 samples with so many bytes after its header. */
const frame = (number: number, bytes: number): number[] => {
  const header = [0xff, 0xf8, 0xc9, 0x18, number];
  return [...header, crc8(header), ...Array.from({ length: bytes }, (_, at) => (at % 7 === 0 ? 0xff : 0xf8))];
};

describe('FlacFrames', () => {
  const stream = Uint8Array.from([...frame(0, 50), ...frame(1, 3), ...frame(2, 400)]);

  it.each([1, 7, 64, 1000])('finds frames in a stream that comes in pieces of %i bytes', (size) => {
    const frames = new FlacFrames(BLOCK);
    const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) => stream.subarray(at * size, (at + 1) * size));
    const found = [...pieces.flatMap((piece) => frames.take(piece)), ...frames.take(new Uint8Array(0), true)];
    expect(found.map(({ sample, samples, bytes }) => [sample, samples, bytes.length])).toEqual([
      [0, BLOCK, 56],
      [BLOCK, BLOCK, 9],
      [2 * BLOCK, BLOCK, 406],
    ]);
  });

  it('begins with the first whole frame when it is given the middle of a stream', () => {
    const [first] = new FlacFrames(BLOCK).take(stream.subarray(20), true);
    expect(first?.sample).toBe(BLOCK);
  });
});

describe('readFlacInfo', () => {
  const info = [16, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0xc4, 0x42, 0xf0, 0, 0, 0xac, 0x44, ...Array.from({ length: 16 }, () => 0)];
  const head = [0x66, 0x4c, 0x61, 0x43, 0, 0, 0, 34, ...info, 0x84, 0, 0, 2, 1, 2];

  it('reads rate, channels and length, and where the frames begin', () => {
    expect(readFlacInfo(Uint8Array.from(head))).toMatchObject({
      rate: 44_100,
      samples: 44_100,
      firstFrameByte: head.length,
    });
  });

  it('needs all of the blocks, and refuses other files', () => {
    expect(readFlacInfo(Uint8Array.from(head.slice(0, 42)))).toBe(46);
    expect(() => readFlacInfo(Uint8Array.from([0x49, 0x44, 0x33, ...head]))).toThrow(UnjoinableError);
  });
});
