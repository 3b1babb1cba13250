import { describe, expect, it } from 'vitest';
import { icyInterval, readIcyTitle, titleInBlock } from './icy-title.js';

const block = (text: string, encoding: BufferEncoding = 'utf8'): Buffer => {
  const bytes = Buffer.from(text, encoding);
  const units = Math.ceil(bytes.length / 16);
  return Buffer.concat([Buffer.of(units), bytes, Buffer.alloc(units * 16 - bytes.length)]);
};
const sound = (length: number): Buffer => Buffer.alloc(length, 0xff);
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('titles in the stream of a station', () => {
  it.each([
    ["StreamTitle='Anna - First day';StreamUrl='';", 'Anna - First day'],
    ["StreamTitle='Don't - Stop';", "Don't - Stop"],
    ["StreamTitle='';", undefined],
    ["StreamUrl='http://x';", undefined],
    ["StreamTitle='a\r\nb\u0000';", 'a b'],
    ["StreamTitle='never ended", undefined],
  ])('are read from %j', (text, title) => {
    expect(titleInBlock(Buffer.from(text))).toBe(title);
  });

  it('are understood in either character set, and cut', () => {
    expect(titleInBlock(Buffer.from("StreamTitle='Été';"))).toBe('Été');
    expect(titleInBlock(Buffer.from("StreamTitle='Été';", 'latin1'))).toBe('Été');
    expect(titleInBlock(Buffer.from(`StreamTitle='${'a'.repeat(1000)}';`))).toHaveLength(255);
  });

  it.each([1, 7, 100, 10_000])('are found whatever the pieces: %i bytes each', async (size) => {
    const bytes = Buffer.concat([sound(64), block("StreamTitle='One';"), sound(64), block("StreamTitle='Two';")]);
    expect(await readIcyTitle(inPieces(bytes, size), 64)).toBe('One');
    const late = Buffer.concat([sound(64), Buffer.of(0), sound(64), block("StreamTitle='Two';")]);
    expect(await readIcyTitle(inPieces(late, size), 64)).toBe('Two');
    const never = Buffer.concat([sound(64), Buffer.of(0), sound(64), Buffer.of(0), sound(64), block("StreamTitle='Three';")]);
    expect(await readIcyTitle(inPieces(never, size), 64)).toBeUndefined();
    expect(await readIcyTitle(inPieces(sound(64), size), 64)).toBeUndefined();
  });

  it.each([
    ['16000', 16_000],
    ['0', undefined],
    ['-5', undefined],
    ['99999999', undefined],
    ['5000000', undefined],
    ['many', undefined],
    [undefined, undefined],
  ])('stand every %j bytes', (header, interval) => {
    expect(icyInterval(header)).toBe(interval);
  });
});
