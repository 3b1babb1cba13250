import { fullBox, initSegment, joined, mediaSegment, sampleEntry } from './mp4.js';
import { UnjoinableError, type FrameReader, type SoundFormat, type SoundFrame, type SoundInfo } from './sound-format.js';

const MARKER = 0x664c6143;
const STREAM_INFO_BYTES = 34;
const BLOCK_HEADER_BYTES = 4;
/** Longest header of a frame. */
const HEADER_BYTES = 16;
/** No frame is longer: 65,535 samples of eight channels and 32 bits. */
const LONGEST_FRAME_BYTES = 65_535 * 8 * 4;

/** Reads the blocks before the frames, or says how many bytes they take at least. @throws UnjoinableError */
export const readFlacInfo = (bytes: Uint8Array): SoundInfo | number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  const least = at + BLOCK_HEADER_BYTES + STREAM_INFO_BYTES;
  if (bytes.length < least) return least;
  if (view.getUint32(0) !== MARKER || (view.getUint8(at) & 0x7f) !== 0) throw new UnjoinableError('The file does not begin as FLAC does.');
  const info = at + BLOCK_HEADER_BYTES;
  for (let isLast = false; !isLast;) {
    if (bytes.length < at + BLOCK_HEADER_BYTES) return at + BLOCK_HEADER_BYTES;
    const header = view.getUint32(at);
    isLast = header >>> 31 === 1;
    at += BLOCK_HEADER_BYTES + (header & 0xffffff);
  }
  const packed = view.getUint32(info + 10);
  const blockSamples = view.getUint16(info);
  const sound = { rate: packed >>> 12, channels: ((packed >>> 9) & 7) + 1, bitsPerSample: ((packed >>> 4) & 31) + 1 };
  const streamInfo = bytes.slice(info, info + STREAM_INFO_BYTES);
  return {
    rate: sound.rate,
    samples: (packed & 15) * 2 ** 32 + view.getUint32(info + 14),
    leadSamples: 0,
    firstFrameByte: at,
    endByte: Number.POSITIVE_INFINITY,
    initSegment: initSegment(sound.rate, sampleEntry('fLaC', sound, fullBox('dfLa', 0, [0x80, 0, 0, streamInfo.length], streamInfo))),
    framesFrom: () => new FlacFrames(blockSamples),
  };
};

const crc8 = (bytes: Uint8Array, from: number, to: number): number => {
  let crc = 0;
  for (let at = from; at < to; at += 1) {
    crc ^= bytes[at] ?? 0;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff;
  }
  return crc;
};

/** Samples of a block by the code in its header; codes 6 and 7 stand for a number after it. */
const blockSamplesOf = (code: number): number => {
  if (code === 1) return 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
};

const EXTRA_RATE_BYTES: Readonly<Record<number, number>> = { 12: 1, 13: 2, 14: 2 };

/** The number of a frame or sample, written as in UTF-8 but longer, and where it ends. */
const codedNumber = (bytes: Uint8Array, at: number): readonly [number: number, end: number] | undefined => {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(~(first << 24));
  if (length === 1 || length > 7) return undefined;
  let number = length === 0 ? first : first & (0x7f >> length);
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if (byte >> 6 !== 2) return undefined;
    number = number * 64 + (byte & 63);
  }
  return [number, at + Math.max(1, length)];
};

/** The samples of the frame whose header is at a place; undefined when there is none. */
const headerAt = (bytes: Uint8Array, at: number, blockSamples: number): Omit<SoundFrame, 'bytes'> | undefined => {
  const [sync, mode = 0, sizes = 0] = bytes.subarray(at, at + 3);
  if (sync !== 0xff || mode >> 1 !== 0x7c) return undefined;
  const [sizeCode, rateCode] = [sizes >> 4, sizes & 15];
  const numbered = codedNumber(bytes, at + 4);
  if (sizeCode === 0 || rateCode === 15 || !numbered) return undefined;
  const [number, sizeAt] = numbered;
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const end = sizeAt + sizeBytes + (EXTRA_RATE_BYTES[rateCode] ?? 0);
  if (crc8(bytes, at, end) !== bytes[end]) return undefined;
  const told = sizeBytes === 1 ? (bytes[sizeAt] ?? 0) : ((bytes[sizeAt] ?? 0) << 8) | (bytes[sizeAt + 1] ?? 0);
  return { sample: mode & 1 ? number : number * blockSamples, samples: sizeBytes > 0 ? told + 1 : blockSamplesOf(sizeCode) };
};

/**
 * Takes the frames out of a FLAC stream that comes in pieces, from its first frame or from anywhere. The length of a frame stands nowhere: it ends where the header of
 * the next one begins, which is known by its number and its checksum.
 */
export class FlacFrames implements FrameReader {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** How far the end of the first frame has been looked for. */
  #searched = 0;
  #first: Omit<SoundFrame, 'bytes'> | undefined;

  constructor(private readonly blockSamples: number) {}

  take(piece: Uint8Array, isEnd = false): SoundFrame[] {
    const all = joined([this.#bytes, piece]);
    const frames: SoundFrame[] = [];
    let start = 0;
    let at = this.#searched;
    for (; at < all.length - (isEnd ? 0 : HEADER_BYTES); at += 1) {
      if (all[at] !== 0xff) continue;
      const header = headerAt(all, at, this.blockSamples);
      if (!header || (this.#first && header.sample !== this.#first.sample + this.#first.samples)) continue;
      if (this.#first) frames.push({ ...this.#first, bytes: all.slice(start, at) });
      this.#first = header;
      start = at;
    }
    if (all.length - start > LONGEST_FRAME_BYTES) throw new UnjoinableError('No frame ends within the longest length of one.');
    if (isEnd && this.#first) frames.push({ ...this.#first, bytes: all.slice(start) });
    this.#bytes = all.slice(start);
    this.#searched = Math.max(0, at - start);
    return frames;
  }
}

/** FLAC files, in segments that Chromium and Firefox take. */
export const flac: SoundFormat = {
  mime: 'audio/mp4; codecs="flac"',
  readInfo: readFlacInfo,
  segmentOf: mediaSegment,
  tellsTime: true,
};
