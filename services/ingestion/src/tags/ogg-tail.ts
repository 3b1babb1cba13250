/** Bytes at the end of an Ogg file in which its last page starts: a page has at most 65,307 bytes (RFC 3533, section 6). */
export const OGG_TAIL_BYTES = 65_536 + 512;

/** Fields of the last page of an Ogg file. */
export interface OggTail {
  /** End position in samples; of Opus in units of 1/48000 s and with the pre-skip. */
  readonly granule: bigint;
  /** True when the last page carries the end-of-stream mark and is there completely. */
  readonly complete: boolean;
}

const HEADER_BYTES = 27;

/** Finds the last page with a position in the file's last bytes. Readers that stop at the headers do not know how long a file plays. */
export const oggTail = (tail: Uint8Array): OggTail | undefined => {
  const bytes = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
  let complete = true;
  for (let at = bytes.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf('OggS', at - 1)) {
    if (bytes.length < at + HEADER_BYTES || bytes[at + 4] !== 0) {
      complete = false;
      continue;
    }
    const segments = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + (bytes[at + 26] ?? 0));
    const end = at + HEADER_BYTES + segments.length + segments.reduce((sum, length) => sum + length, 0);
    const granule = bytes.readBigInt64LE(at + 6);
    if (end > bytes.length) complete = false;
    if (granule > 0n && end <= bytes.length) return { granule, complete: complete && ((bytes[at + 5] ?? 0) & 4) !== 0 };
  }
  return undefined;
};

/** Bytes at the start of an Ogg file in which the header of an Opus stream is. */
export const OPUS_HEAD_BYTES = 512;

/** Samples at the start of an Opus stream that are not played (RFC 7845, section 5.1), read from the file's first page. */
export const opusPreSkip = (head: Uint8Array): number => {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const at = bytes.indexOf('OpusHead');
  return at >= 0 && bytes.length >= at + 12 ? bytes.readUInt16LE(at + 10) : 0;
};

/** The gain in dB that every decoder of an Opus stream applies (RFC 7845, section 5.1); undefined without a header. */
export const opusOutputGainDb = (head: Uint8Array): number | undefined => {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const at = bytes.indexOf('OpusHead');
  return at >= 0 && bytes.length >= at + 18 ? Math.round((bytes.readInt16LE(at + 16) / 256) * 100) / 100 : undefined;
};
