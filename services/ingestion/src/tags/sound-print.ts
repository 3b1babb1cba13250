import { createHash } from 'node:crypto';
import { infoFrameBytes } from './mpeg-frames.js';
import type { ReadAt } from './raw-tags.js';

/** Sound that is looked at: much more than two recordings have in common by chance, and less than the shortest songs have. */
const SAMPLE_BYTES = 8192;
const OGG_TAIL_BYTES = 65_536;
const OGG_HEAD_BYTES = 27;
const MAX_CHUNKS = 64;

/** A file as its sound is looked for in it. */
export interface SoundPrintSource {
  readonly peek: ReadAt;
  readonly sizeBytes: number;
  /** Bytes of an ID3v2 tag in front. */
  readonly tagBytes: number;
  /** Container by its usual suffix. */
  readonly format: string;
}

/** Sound prints of a file. */
export interface SoundPrints {
  readonly print: string;
  /** Print by earlier releases, which took a header frame for sound; only where it differs. */
  readonly earlier?: string;
}

/** Where sound begins, and how much of it there is where that is known. */
interface Place {
  readonly at: number;
  readonly bytes?: number;
}

type SoundAt = (file: SoundPrintSource) => Promise<Place | undefined>;

/** Where a chunk of RIFF, IFF or MP4 begins whose name is given; undefined where it is not among the first ones. */
const chunkAt =
  (name: string, from: number, headOf: (head: Buffer) => { name: string; bytes: number }): SoundAt =>
  async ({ peek, sizeBytes }) => {
    for (let at = from, chunks = 0; at + 8 <= sizeBytes && chunks < MAX_CHUNKS; chunks += 1) {
      const head = await peek(16, at);
      if (head.length < 8) return undefined;
      const chunk = headOf(head);
      if (chunk.name === name) return { at: at + 8, bytes: chunk.bytes - 8 };
      if (chunk.bytes <= 0) return undefined;
      at += chunk.bytes;
    }
    return undefined;
  };

const even = (bytes: number): number => bytes + (bytes % 2);
const riffHead = (head: Buffer) => ({ name: head.toString('latin1', 0, 4), bytes: 8 + even(head.readUInt32LE(4)) });
const iffHead = (head: Buffer) => ({ name: head.toString('latin1', 0, 4), bytes: 8 + even(head.readUInt32BE(4)) });
const boxHead = (head: Buffer) => ({
  name: head.toString('latin1', 4, 8),
  bytes: head.readUInt32BE(0) === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0),
});
const behindTag: SoundAt = async ({ tagBytes }) => ({ at: tagBytes });

/** Frames of FLAC begin behind its last block of metadata. */
const flacFrames: SoundAt = async ({ peek, tagBytes }) => {
  for (let at = tagBytes + 4, blocks = 0; blocks < MAX_CHUNKS; blocks += 1) {
    const head = await peek(4, at);
    if (head.length < 4) return undefined;
    at += 4 + head.readUIntBE(1, 3);
    if (((head[0] ?? 0) & 0x80) !== 0) return { at };
  }
  return undefined;
};

/** Where the sound of each format begins. What is in front of it are tags, which may grow and shrink. */
const starts: Readonly<Record<string, SoundAt>> = {
  flac: flacFrames,
  mp3: behindTag,
  mp2: behindTag,
  aac: behindTag,
  wv: behindTag,
  ape: behindTag,
  mpc: behindTag,
  wav: chunkAt('data', 12, riffHead),
  aiff: chunkAt('SSND', 12, iffHead),
  m4a: chunkAt('mdat', 0, boxHead),
  dsf: async () => ({ at: 92 }),
  // The header has its length behind its id; the object of the sound, behind that, has its size, and an id of the file that taggers leave alone.
  wma: async ({ peek }) => ({ at: Number((await peek(24, 0)).readBigUInt64LE(16)) + 50 }),
};

/** The last pages of an Ogg stream without their numbers and sums, which change with the length of the tags in front. */
const oggEnd = async ({ peek, sizeBytes }: SoundPrintSource): Promise<Buffer | undefined> => {
  const start = Math.max(0, sizeBytes - OGG_TAIL_BYTES);
  const tail = await peek(Math.min(sizeBytes, OGG_TAIL_BYTES), start);
  const at = tail.lastIndexOf('OggS');
  if (at < 0 || at + OGG_HEAD_BYTES > tail.length) return undefined;
  return Buffer.concat([tail.subarray(at + 6, at + 14), tail.subarray(at + 26)]);
};

const digest = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex').slice(0, 24);

const MPEG_HEAD_BYTES = 64;
const MAX_INFO_FRAMES = 2;

/** Bytes of frames in front of the sound of MPEG that tell of the file instead: each program that writes the file anew makes its own of them, or none. */
const infoBytes = async ({ peek, format }: SoundPrintSource, from: number): Promise<number> => {
  let bytes = 0;
  if (format !== 'mp3') return bytes;
  for (let frames = 0; frames < MAX_INFO_FRAMES; frames += 1) {
    const frame = infoFrameBytes(await peek(MPEG_HEAD_BYTES, from + bytes));
    if (frame === 0) break;
    bytes += frame;
  }
  return bytes;
};

/**
 * Computes a cheap print of the sound, independent of the tags: from the first encoded sound, of Ogg from the last. Equal
 * prints together with equal lengths mean the same recording in the same form. Undefined where the format gives none, and for silence.
 */
export const soundPrints = async (file: SoundPrintSource): Promise<SoundPrints | undefined> => {
  const { format, peek, sizeBytes } = file;
  if (['ogg', 'oga', 'opus', 'spx'].includes(format)) {
    const end = await oggEnd(file);
    return end && { print: `ogg:${digest(end)}` };
  }
  const place = await starts[format]?.(file);
  if (place === undefined || place.at >= sizeBytes) return undefined;
  const printAt = async (at: number): Promise<string | undefined> => {
    const sample = await peek(Math.min(SAMPLE_BYTES, place.bytes ?? SAMPLE_BYTES), at);
    // Digital silence is alike in everything that begins with it.
    return sample.some((byte) => byte !== sample[0]) ? `${format}:${digest(sample)}` : undefined;
  };
  const info = await infoBytes(file, place.at);
  const print = await printAt(place.at + info);
  const earlier = info > 0 ? await printAt(place.at) : undefined;
  return print === undefined ? undefined : { print, ...(earlier ? { earlier } : {}) };
};
