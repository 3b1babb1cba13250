import type { ReadAt } from './raw-tags.js';

/** Fields of an MP4 sound description that the parser does not read. */
export interface Mp4Sound {
  readonly sampleRateHz?: number;
  readonly channels?: number;
}

const MAX_BOXES = 64;
const MAX_DESCRIPTION_BYTES = 4096;
/** Channels by the configuration of an AAC stream (ISO 14496-3, table 1.19). */
const AAC_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];

interface Box {
  readonly name: string;
  /** Where its content begins, and where it ends. */
  readonly from: number;
  readonly to: number;
}

const boxesIn = async (peek: ReadAt, from: number, to: number): Promise<Box[]> => {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && boxes.length < MAX_BOXES;) {
    const head = await peek(16, at);
    if (head.length < 8) break;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    if (size < 8) break;
    boxes.push({ name: head.toString('latin1', 4, 8), from: at + (isLong ? 16 : 8), to: at + size });
    at += size;
  }
  return boxes;
};

/** The boxes at a path, in every track. */
const boxesAt = async (peek: ReadAt, within: readonly Box[], [name, ...rest]: readonly string[]): Promise<readonly Box[]> => {
  if (name === undefined) return within;
  const below: Box[] = [];
  for (const box of within) below.push(...(await boxesIn(peek, box.from, box.to)).filter((child) => child.name === name));
  return boxesAt(peek, below, rest);
};

/** Apple Lossless repeats rate and channels in full behind its box (ALACSpecificConfig): the entry's own field has room for 65,535 Hz only. */
const appleLossless = (entry: Buffer): Mp4Sound | undefined => {
  const config = entry.indexOf('alac', 8, 'latin1') + 8;
  if (config < 8 || config + 24 > entry.length) return undefined;
  return { sampleRateHz: entry.readUInt32BE(config + 20), channels: entry.readUInt8(config + 9) };
};

/** Reads over tag and size of a descriptor (ISO 14496-1, section 8.3.3), whose size takes up to four bytes. */
const behindHead = (bytes: Buffer, at: number, tag: number): number | undefined => {
  if (bytes[at] !== tag) return undefined;
  let place = at + 1;
  while (place < at + 4 && ((bytes[place] ?? 0) & 0x80) !== 0) place += 1;
  return place + 1;
};

/** AAC tells its channels in the decoder's configuration; the entry's own field says two for everything. */
const advancedCoding = (entry: Buffer): Mp4Sound | undefined => {
  const at = entry.indexOf('esds', 8, 'latin1');
  const stream = at < 0 ? undefined : behindHead(entry, at + 8, 3);
  const decoder = stream === undefined ? undefined : behindHead(entry, stream + 3, 4);
  const config = decoder === undefined ? undefined : behindHead(entry, decoder + 13, 5);
  if (config === undefined || config + 2 > entry.length) return undefined;
  const bits = entry.readUInt16BE(config);
  const [type, rateIndex, channelIndex] = [bits >>> 11, (bits >>> 7) & 0xf, (bits >>> 3) & 0xf];
  // Other object types, and rates that are written out, have their channels elsewhere.
  const channels = type <= 4 && rateIndex !== 15 ? AAC_CHANNELS[channelIndex] : undefined;
  return channels ? { channels } : undefined;
};

/** Rate and channels of an MP4 as its decoder is told them; empty where it says nothing more. */
export const mp4Sound = async (peek: ReadAt, sizeBytes: number): Promise<Mp4Sound> => {
  const whole: Box = { name: '', from: 0, to: sizeBytes };
  for (const { from, to } of await boxesAt(peek, [whole], ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'])) {
    const entry = (await peek(Math.min(to - from, MAX_DESCRIPTION_BYTES), from)).subarray(8);
    const name = entry.toString('latin1', 4, 8);
    const sound = name === 'alac' ? appleLossless(entry) : name === 'mp4a' ? advancedCoding(entry) : undefined;
    if (sound) return sound;
  }
  return {};
};
