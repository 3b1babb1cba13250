import { describe, expect, it } from 'vitest';
import { mp3, readMp3Info } from './mp3.js';
import { UnjoinableError } from './sound-format.js';

/** At 128 kbit/s and 44.1 kHz. */
const FRAME_BYTES = 417;
const FRAME_SAMPLES = 1152;
const FRAMES = 5;
const [BEFORE, AFTER] = [576, 1000];

const letters = (text: string): number[] => [...new TextEncoder().encode(text)];
const u32 = (value: number): number[] => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];

/** A frame whose bytes look like the beginning of one. @param isPadded with one byte more */
const frame = (content: readonly number[] = [], isPadded = false): number[] => {
  const bytes = [0xff, 0xfb, isPadded ? 0x92 : 0x90, 0, ...content];
  return [...bytes, ...Array.from({ length: FRAME_BYTES + Number(isPadded) - bytes.length }, (_, at) => (at % 5 === 0 ? 0xff : 0xfb))];
};
const sound = [frame(), frame([], true), frame(), frame([], true), frame()];
const soundBytes = sound.flat();

/** A file as LAME writes it. */
const file = ({ name = 'Info', encoder = 'LAME3.100', tags = 0 } = {}): Uint8Array => {
  const place = Array.from({ length: 32 }, () => 0);
  const padding = (BEFORE << 12) | AFTER;
  const told = [...letters(name), ...u32(0b1011), ...u32(FRAMES), ...u32(FRAME_BYTES + soundBytes.length), ...u32(80)];
  const lame = [...letters(encoder), ...Array.from({ length: 12 }, () => 0), ...u32(padding).slice(1)];
  const id3 = tags > 0 ? [...letters('ID3'), 4, 0, 0, 0, 0, tags >> 7, tags & 127, ...Array.from({ length: tags }, () => 0xff)] : [];
  return Uint8Array.from([...id3, ...frame([...place, ...told, ...lame]), ...soundBytes]);
};

const infoOf = (bytes: Uint8Array) => {
  const info = readMp3Info(bytes);
  if (typeof info === 'number') throw new Error('there are too few bytes');
  return info;
};

describe('readMp3Info', () => {
  it.each([0, 300])('reads what stands before and after the sound, behind tags of %i bytes', (tags) => {
    const before = tags > 0 ? tags + 10 : 0;
    expect(infoOf(file({ tags }))).toMatchObject({
      rate: 44_100,
      samples: FRAMES * FRAME_SAMPLES - BEFORE - AFTER,
      leadSamples: BEFORE,
      firstFrameByte: before + FRAME_BYTES,
      endByte: before + FRAME_BYTES + soundBytes.length,
    });
  });

  it('needs the whole tag, and refuses files of encoders that tell no padding, and others', () => {
    expect(readMp3Info(file().subarray(0, 100))).toBe(FRAME_BYTES);
    expect(readMp3Info(file({ tags: 300 }).subarray(0, 100))).toBeGreaterThan(310 + FRAME_BYTES);
    expect(() => readMp3Info(file({ encoder: 'Unknown 1' }))).toThrow(UnjoinableError);
    expect(() => readMp3Info(file({ name: 'none' }))).toThrow(UnjoinableError);
    expect(() => readMp3Info(Uint8Array.from(letters('fLaC and so on')))).toThrow(UnjoinableError);
  });
});

describe('frames of MP3 files', () => {
  it.each([1, 64, 5000])('are found in a stream that comes in pieces of %i bytes', (size) => {
    const info = infoOf(file());
    const frames = info.framesFrom(info.firstFrameByte);
    const pieces = Array.from({ length: Math.ceil(soundBytes.length / size) }, (_, at) =>
      Uint8Array.from(soundBytes.slice(at * size, (at + 1) * size)),
    );
    const found = pieces.flatMap((piece, at) => [...frames.take(piece, at === pieces.length - 1)]);
    expect(found.map(({ sample, bytes }) => [sample, bytes.length])).toEqual(sound.map(({ length }, at) => [at * FRAME_SAMPLES, length]));
    expect([...mp3.segmentOf(found)]).toEqual(soundBytes);
  });

  it('are known by their place in the middle of a file of one bit rate', () => {
    const bytes = file({ tags: 20 });
    const from = infoOf(bytes).firstFrameByte + FRAME_BYTES + 100;
    const [first] = infoOf(bytes).framesFrom(from).take(bytes.subarray(from));
    expect(first?.sample).toBe(2 * FRAME_SAMPLES);
  });

  it('are not known in the middle of a file of many', () => {
    const info = infoOf(file({ name: 'Xing' }));
    expect(() => info.framesFrom(info.firstFrameByte)).not.toThrow();
    expect(() => info.framesFrom(info.firstFrameByte + 1)).toThrow(UnjoinableError);
  });

  it('end where something else stands between them', () => {
    const info = infoOf(file());
    const frames = info.framesFrom(info.firstFrameByte);
    expect(() => frames.take(Uint8Array.from([...frame(), ...letters('something else')]))).toThrow(UnjoinableError);
  });
});
