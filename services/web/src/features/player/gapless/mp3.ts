import { joined } from './mp4.js';
import { UnjoinableError, type FrameReader, type SoundFormat, type SoundFrame, type SoundInfo } from './sound-format.js';

const ID3 = 0x494433;
const ID3_HEADER_BYTES = 10;
const FRAME_HEADER_BYTES = 4;
/** Of 320 kbit/s at 32 kHz. */
const LONGEST_FRAME_BYTES = 1441;
const LONGEST_SEARCH_BYTES = 65_536;
/** Of each frame of MPEG-1, layer III. */
const FRAME_SAMPLES = 1152;
/** By their codes in the header of a frame, kbit/s. */
const BIT_RATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES = [44_100, 48_000, 32_000];
const MONO = 3;
/** From the end of a frame's header to the tag of the encoder, bytes. */
const [TAG_AFTER_MONO, TAG_AFTER_STEREO] = [17, 32];
const [HAS_FRAMES, HAS_BYTES, HAS_PLACES, HAS_QUALITY] = [1, 2, 4, 8];
const PLACES_BYTES = 100;
/** From the name of the encoder to what it put before and after the sound. */
const PADDING_AT = 21;
/** LAME and FFmpeg, whose tags tell it. */
const KNOWN_ENCODERS = ['LAME', 'Lavf', 'Lavc'];

interface Header {
  readonly rate: number;
  readonly isMono: boolean;
  readonly kbps: number;
  /** Length of the frame. */
  readonly bytes: number;
}

/** Reads the header of a frame of MPEG-1, layer III; undefined when there is none. */
const headerAt = (bytes: Uint8Array, at: number): Header | undefined => {
  const [sync, layer = 0, sizes = 0, mode = 0] = bytes.subarray(at, at + FRAME_HEADER_BYTES);
  if (sync !== 0xff || layer >> 1 !== 0x7d) return undefined;
  const kbps = BIT_RATES[sizes >> 4] ?? 0;
  const rate = RATES[(sizes >> 2) & 3];
  if (kbps === 0 || rate === undefined) return undefined;
  return { rate, kbps, isMono: mode >> 6 === MONO, bytes: Math.floor((144_000 * kbps) / rate) + ((sizes >> 1) & 1) };
};

const lettersAt = (bytes: Uint8Array, at: number): string => String.fromCodePoint(...bytes.subarray(at, at + 4));

/** Tag of the encoder (`Xing` or `Info`, with the extension of LAME), which stands in the first frame. */
interface EncoderTag {
  readonly frames: number;
  /** From the tag's own frame on. */
  readonly bytes: number;
  readonly leadSamples: number;
  readonly tailSamples: number;
  readonly isConstant: boolean;
}

const encoderTagAt = (bytes: Uint8Array, at: number): EncoderTag | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = lettersAt(bytes, at);
  const has = view.getUint32(at + 4);
  if (!(name === 'Info' || name === 'Xing') || !(has & HAS_FRAMES) || !(has & HAS_BYTES)) return undefined;
  const encoderAt = at + 16 + (has & HAS_PLACES ? PLACES_BYTES : 0) + (has & HAS_QUALITY ? 4 : 0);
  if (!KNOWN_ENCODERS.includes(lettersAt(bytes, encoderAt))) return undefined;
  const padding = view.getUint32(encoderAt + PADDING_AT) >>> 8;
  return {
    frames: view.getUint32(at + 8),
    bytes: view.getUint32(at + 12),
    leadSamples: padding >>> 12,
    tailSamples: padding & 0xfff,
    isConstant: name === 'Info',
  };
};

/** Where the first frame stands: pictures and other tags come before it. */
const firstFrameAt = (bytes: Uint8Array): number => {
  const [one = 0, two = 0, three = 0, , , flags = 0, ...sizes] = bytes.subarray(0, ID3_HEADER_BYTES);
  if (((one << 16) | (two << 8) | three) !== ID3) return 0;
  const footer = flags & 0x10 ? ID3_HEADER_BYTES : 0;
  return ID3_HEADER_BYTES + sizes.reduce((length, part) => length * 128 + (part & 0x7f), 0) + footer;
};

/** Reads the tag of the encoder, or says how many bytes that takes. @throws UnjoinableError for files without it */
export const readMp3Info = (bytes: Uint8Array): SoundInfo | number => {
  const at = firstFrameAt(bytes);
  if (bytes.length < at + FRAME_HEADER_BYTES) return at + LONGEST_FRAME_BYTES;
  const header = headerAt(bytes, at);
  if (!header) throw new UnjoinableError('The file does not begin as MPEG-1, layer III does.');
  if (bytes.length < at + header.bytes) return at + header.bytes;
  const tag = encoderTagAt(bytes, at + FRAME_HEADER_BYTES + (header.isMono ? TAG_AFTER_MONO : TAG_AFTER_STEREO));
  if (!tag) throw new UnjoinableError('The file does not tell what its encoder put before and after the sound.');
  const { rate } = header;
  const firstFrameByte = at + header.bytes;
  return {
    rate,
    samples: tag.frames * FRAME_SAMPLES - tag.leadSamples - tag.tailSamples,
    leadSamples: tag.leadSamples,
    firstFrameByte,
    endByte: at + tag.bytes,
    initSegment: undefined,
    framesFrom: (byte) => {
      if (byte > firstFrameByte && !tag.isConstant) throw new UnjoinableError('Its frames have no numbers, and different lengths.');
      const frameBytes = (tag.bytes - header.bytes) / tag.frames;
      return new Mp3Frames(rate, byte === firstFrameByte, (frameAt) => Math.round((byte + frameAt - firstFrameByte) / frameBytes));
    },
  };
};

/** Takes the frames out of an MP3 stream that comes in pieces, from its first frame or from anywhere. */
class Mp3Frames implements FrameReader {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Number of the next frame; undefined until one has been found. */
  #number: number | undefined;

  /** @param numberAt number of the frame that begins so many bytes after the place where the stream was opened */
  constructor(
    private readonly rate: number,
    isFirst: boolean,
    private readonly numberAt: (byte: number) => number,
  ) {
    if (isFirst) this.#number = 0;
  }

  take(piece: Uint8Array, isEnd = false): SoundFrame[] {
    const all = joined([this.#bytes, piece]);
    const frames: SoundFrame[] = [];
    let at = this.#number === undefined ? this.#firstIn(all) : 0;
    for (let header = this.#headerAt(all, at); header && at + header.bytes <= all.length; header = this.#headerAt(all, at)) {
      this.#number ??= this.numberAt(at);
      frames.push({ bytes: all.slice(at, at + header.bytes), sample: this.#number * FRAME_SAMPLES, samples: FRAME_SAMPLES });
      this.#number += 1;
      at += header.bytes;
    }
    const isBroken = all.length - at >= FRAME_HEADER_BYTES && !this.#headerAt(all, at);
    if (!isEnd && isBroken && this.#number !== undefined) throw new UnjoinableError('There is something else between the frames.');
    this.#bytes = this.#number === undefined ? all : all.slice(at);
    if (this.#bytes.length > LONGEST_SEARCH_BYTES) throw new UnjoinableError('There are no frames.');
    return frames;
  }

  #headerAt(bytes: Uint8Array, at: number): Header | undefined {
    const header = headerAt(bytes, at);
    return header?.rate === this.rate ? header : undefined;
  }

  /** The first place at which a frame stands that another one follows; the end when there is none yet. */
  #firstIn(bytes: Uint8Array): number {
    for (let at = 0; at < bytes.length; at += 1) {
      const header = this.#headerAt(bytes, at);
      if (header && this.#headerAt(bytes, at + header.bytes)) return at;
    }
    return bytes.length;
  }
}

/** MP3 files that tell their padding. */
export const mp3: SoundFormat = {
  mime: 'audio/mpeg',
  readInfo: readMp3Info,
  segmentOf: (frames) => joined(frames.map(({ bytes }) => bytes)),
  tellsTime: false,
};
