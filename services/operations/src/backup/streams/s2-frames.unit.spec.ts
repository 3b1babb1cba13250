import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { framed, CorruptS2Stream, unframed } from './s2-frames.js';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const whole = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const piece of source) all.push(piece);
  return Buffer.concat(all);
};

/** Bytes that do not repeat. */
const noise = (length: number): Buffer => {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, n) => createHash('sha256').update(String(n)).digest());
  return Buffer.concat(parts).subarray(0, length);
};

const frame = (kind: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt8(kind, 0);
  head.writeUIntLE(body.length, 1, 3);
  return Buffer.concat([head, body]);
};

describe('frames', () => {
  it('give back what was put into them, however they are cut', async () => {
    for (const length of [0, 1, 16_384, 16_385, 100_000]) {
      const packed = await whole(framed(pieces(noise(length), 30_000)));
      for (const size of [1000, 16_384, 1_000_000]) expect(await whole(unframed(pieces(packed, size)))).toEqual(noise(length));
    }
  });

  it('are unpacked with text, near and far copies, runs, and repeats', async () => {
    const start = await whole(framed(pieces(Buffer.alloc(0), 1)));
    // "abcdefgh", 8 bytes of it again from 8 back, then a repeat of 12, and a run of "h".
    const block = Buffer.from([0x1c + 8 + 1, 0x1c, ...Buffer.from('abcdefgh'), 0x11, 0x08, 0x15, 0x00, 0x04, 0x01, 0x01]);
    const text = 'abcdefgh'.repeat(4).slice(0, 8 + 8 + 12);
    const plain = await whole(framed(pieces(Buffer.from(`${text}${text.at(-1)?.repeat(5) ?? ''}`), 100)));
    block.writeUInt8(text.length + 5, 0);
    block.writeUInt8(0x05, block.length - 2);
    const sum = plain.subarray(start.length + 4, start.length + 8);
    const packed = Buffer.concat([start, frame(0x80, Buffer.from('skipped')), frame(0x00, Buffer.concat([sum, block]))]);
    expect((await whole(unframed(pieces(packed, 7)))).toString()).toBe(text + (text.at(-1)?.repeat(5) ?? ''));
  });

  it('are refused when they are damaged, cut off, or something else', async () => {
    const packed = await whole(framed(pieces(noise(50_000), 50_000)));
    const changed = Buffer.from(packed);
    changed.writeUInt8(changed.readUInt8(20_000) ^ 1, 20_000);
    for (const broken of [
      changed,
      packed.subarray(0, packed.length - 1),
      Buffer.from('something else altogether'),
      frame(0x00, Buffer.from([0, 0, 0, 0, 5, 0xf0])),
    ])
      await expect(whole(unframed(pieces(broken, 4096)))).rejects.toThrow(CorruptS2Stream);
  });
});
