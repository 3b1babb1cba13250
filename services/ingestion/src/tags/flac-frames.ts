const crc8 = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
};

/** The frame or sample number in the extended UTF-8 coding of frame headers, and how many bytes it takes (RFC 9639, section 9.1.5). */
const codedNumber = (bytes: Uint8Array, at: number): { value: number; length: number } | undefined => {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return { value: first, length: 1 };
  const length = Math.clz32(~(first << 24));
  if (length < 2 || length > 7) return undefined;
  let value = length === 7 ? 0 : first & (0x7f >> length);
  for (let n = 1; n < length; n += 1) {
    const next = bytes[at + n] ?? 0;
    if ((next & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (next & 0x3f);
  }
  return { value, length };
};

const EXTRA_BLOCK_BYTES: Readonly<Record<number, number>> = { 6: 1, 7: 2 };
const EXTRA_RATE_BYTES: Readonly<Record<number, number>> = { 12: 1, 13: 2, 14: 2 };

/** First sample of the frame that starts at `at`; undefined when the check sum says that none does. */
const frameStart = (bytes: Uint8Array, at: number, blockSamples: number): number | undefined => {
  const [b1 = 0, b2 = 0, b3 = 0] = [bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  if ((b1 & 0xfe) !== 0xf8 || b2 >> 4 === 0 || (b2 & 15) === 15 || b3 & 1) return undefined;
  const number = codedNumber(bytes, at + 4);
  if (!number) return undefined;
  const end = at + 4 + number.length + (EXTRA_BLOCK_BYTES[b2 >> 4] ?? 0) + (EXTRA_RATE_BYTES[b2 & 15] ?? 0);
  if (end >= bytes.length || crc8(bytes.subarray(at, end)) !== bytes[end]) return undefined;
  return b1 & 1 ? number.value : number.value * blockSamples;
};

/**
 * The furthest sample at which a frame starts within the given bytes: how far a FLAC file really goes, whatever its header promises.
 * @param blockSamples the stream's fixed block size
 * @param totalSamples starts beyond it are chance matches
 */
export const lastFlacSample = (tail: Uint8Array, blockSamples: number, totalSamples: number): number | undefined => {
  let furthest: number | undefined;
  for (let at = tail.indexOf(0xff); at >= 0; at = tail.indexOf(0xff, at + 1)) {
    const start = frameStart(tail, at, blockSamples);
    if (start !== undefined && start < totalSamples && start > (furthest ?? -1)) furthest = start;
  }
  return furthest;
};
