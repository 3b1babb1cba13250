/** `fLaC`, the head of the first block, and that block: STREAMINFO (RFC 9639 section 8.2). */
export const FLAC_HEADER_BYTES = 42;

/** Where STREAMINFO holds bits per sample (low 4 of 5 bits) and the number of samples (36 bits). */
const SAMPLES_AT = 21;
const LEAST_FRAME_HEADER_BYTES = 6;

/** CRC-8 of frame headers (RFC 9639 section 9.1.8): x^8 + x^2 + x + 1. */
const crc8 = (bytes: Buffer): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return crc;
};

/** A number in the extended form of UTF-8 that frame headers use, and its length; undefined when it is none. */
const codedNumber = (bytes: Buffer, at: number): { value: number; length: number } | undefined => {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return { value: first, length: 1 };
  const length = Math.clz32(~(first << 24));
  if (length < 2 || length > 7) return undefined;
  let value = length >= 7 ? 0 : first & (0x7f >> length);
  for (const byte of bytes.subarray(at + 1, at + length)) {
    if ((byte & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, length };
};

/** Samples of a block, and how many further header bytes say so (RFC 9639 section 9.1.1). */
const blockSize = (code: number, header: Buffer, at: number): { samples: number; length: number } | undefined => {
  if (code === 0) return undefined;
  if (code === 1) return { samples: 192, length: 0 };
  if (code <= 5) return { samples: 144 << code, length: 0 };
  if (code === 6) return { samples: (header[at] ?? 0) + 1, length: 1 };
  if (code === 7) return at + 2 <= header.length ? { samples: header.readUInt16BE(at) + 1, length: 2 } : undefined;
  return { samples: 1 << code, length: 0 };
};

const rateLength = (code: number): number => {
  if (code === 12) return 1;
  return code === 13 || code === 14 ? 2 : 0;
};

/** The frame that begins at a position: its number and its samples; undefined when none begins there. */
const frameAt = (bytes: Buffer, at: number): { number: number; samples: number } | undefined => {
  // Sync code and blocks of one size; a header with the other strategy counts samples, which ffmpeg does not write.
  if (bytes[at] !== 0xff || bytes[at + 1] !== 0xf8) return undefined;
  const codes = bytes[at + 2] ?? 0;
  const number = codedNumber(bytes, at + 4);
  if (!number) return undefined;
  const size = blockSize(codes >> 4, bytes, at + 4 + number.length);
  if (!size) return undefined;
  const end = at + 4 + number.length + size.length + rateLength(codes & 0x0f);
  if (end >= bytes.length || crc8(bytes.subarray(at, end)) !== bytes[end]) return undefined;
  return { number: number.value, samples: size.samples };
};

/**
 * Counts the samples of a FLAC stream of equal blocks by its last frame: all before it are full. `tail` is the end of the stream and must hold its last frame's
 * beginning. Undefined when that is not found.
 */
export const flacSampleCount = (header: Buffer, tail: Buffer): number | undefined => {
  if (header.length < FLAC_HEADER_BYTES || header.toString('latin1', 0, 4) !== 'fLaC') return undefined;
  const blockSamples = header.readUInt16BE(10);
  // Sound may look like the beginning of a frame; a frame counts when the one before it is there as well.
  const later = new Map<number, number>();
  for (let at = tail.length - LEAST_FRAME_HEADER_BYTES; at >= 0; at -= 1) {
    const frame = frameAt(tail, at);
    if (!frame || frame.samples > blockSamples) continue;
    const next = later.get(frame.number + 1);
    if (next !== undefined) return (frame.number + 1) * blockSamples + next;
    if (!later.has(frame.number)) later.set(frame.number, frame.samples);
  }
  return later.get(0);
};

/** The header, with the number of samples in it. */
export const flacHeaderWith = (header: Buffer, samples: number): Buffer => {
  const changed = Buffer.from(header);
  changed[SAMPLES_AT] = ((changed[SAMPLES_AT] ?? 0) & 0xf0) | (Math.floor(samples / 2 ** 32) & 0x0f);
  changed.writeUInt32BE(samples % 2 ** 32, SAMPLES_AT + 1);
  return changed;
};
