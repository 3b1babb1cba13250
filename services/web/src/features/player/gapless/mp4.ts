import type { SoundFrame } from './sound-format.js';

type Part = Uint8Array | readonly number[];

const u16 = (value: number): readonly number[] => [(value >>> 8) & 0xff, value & 0xff];
const u32 = (value: number): readonly number[] => [...u16(Math.floor(value / 65_536)), ...u16(value)];
const u64 = (value: number): readonly number[] => [...u32(Math.floor(value / 2 ** 32)), ...u32(value % 2 ** 32)];
const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

const letters = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One after the other. */
export const joined = (parts: readonly Part[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

export const box = (type: string, ...parts: readonly Part[]): Uint8Array<ArrayBuffer> => {
  const length = 8 + parts.reduce((sum, part) => sum + part.length, 0);
  return joined([u32(length), letters(type), ...parts]);
};
/** A box with version and flags. */
export const fullBox = (type: string, flags: number, ...parts: readonly Part[]): Uint8Array<ArrayBuffer> => box(type, u32(flags), ...parts);

const MATRIX = [...u32(0x10000), ...zeros(12), ...u32(0x10000), ...zeros(12), ...u32(0x40000000)];
const VERSION_1 = 0x01000000;
const DEFAULT_BASE_IS_MOOF = 0x020000;
/** Offset of the data, duration and size of each sample. */
const RUN_FLAGS = 0x301;

/** The box that describes sound for a decoder. @param config the box of its own that a decoder needs */
export const sampleEntry = (
  type: string,
  sound: { readonly channels: number; readonly bitsPerSample: number; readonly rate: number },
  config: Uint8Array,
): Uint8Array => {
  const { channels, bitsPerSample, rate } = sound;
  // Rates that do not fit are told by the stream's own block only.
  const rates = [...u16(rate < 65_536 ? rate : 0), ...u16(0)];
  return box(type, [...zeros(6), ...u16(1), ...zeros(8), ...u16(channels), ...u16(bitsPerSample), ...zeros(4)], rates, config);
};

/** The segment that tells how the sound is decoded. @param rate of its samples, in whose number times are told */
export const initSegment = (rate: number, entry: Uint8Array): Uint8Array<ArrayBuffer> => {
  const table = box(
    'stbl',
    fullBox('stsd', 0, u32(1), entry),
    ...['stts', 'stsc', 'stco'].map((type) => fullBox(type, 0, u32(0))),
    fullBox('stsz', 0, zeros(8)),
  );
  const location = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
  const handler = fullBox('hdlr', 0, zeros(4), letters('soun'), zeros(13));
  const media = box(
    'mdia',
    fullBox('mdhd', 0, zeros(8), u32(rate), zeros(4), u16(0x55c4), zeros(2)),
    handler,
    box('minf', fullBox('smhd', 0, zeros(4)), location, table),
  );
  const trackHeader = fullBox('tkhd', 3, zeros(8), u32(1), zeros(20), u16(0x100), zeros(2), MATRIX, zeros(8));
  const movieHeader = fullBox('mvhd', 0, zeros(8), u32(rate), zeros(4), u32(0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(2));
  const fragments = box('mvex', fullBox('trex', 0, u32(1), u32(1), zeros(12)));
  const brand = letters('iso5');
  return joined([box('ftyp', brand, zeros(4), brand), box('moov', movieHeader, box('trak', trackHeader, media), fragments)]);
};

/** A segment with frames that follow each other. */
export const mediaSegment = (frames: readonly SoundFrame[]): Uint8Array<ArrayBuffer> => {
  const run = (dataOffset: number): Uint8Array =>
    fullBox(
      'trun',
      RUN_FLAGS,
      u32(frames.length),
      u32(dataOffset),
      frames.flatMap(({ samples, bytes }) => [...u32(samples), ...u32(bytes.length)]),
    );
  const fragment = (dataOffset: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', 0, u32(1)),
      box('traf', fullBox('tfhd', DEFAULT_BASE_IS_MOOF, u32(1)), fullBox('tfdt', VERSION_1, u64(frames[0]?.sample ?? 0)), run(dataOffset)),
    );
  const moof = fragment(fragment(0).length + 8);
  return joined([moof, box('mdat', ...frames.map(({ bytes }) => bytes))]);
};
