/**
 * The wire format in which nats-server sends and takes snapshots: S2, a stream of frames, each with a checksum. What is inside is kept by backups as it is and compressed better. Handing
 * it back in small frames matters: a server that writes every message through to the disk looks after the sender only between two frames, and takes one that it
 * has not heard of for five seconds for gone.
 */
const IDENTIFIER = 0xff;
const COMPRESSED = 0x00;
const PLAIN = 0x01;
/** Frames from here on may be skipped by whoever does not know them. */
const SKIPPABLE = 0x80;
const STREAM_START = Buffer.from('\u00ff\u0006\u0000\u0000S2sTwO', 'latin1');
const FRAME_BYTES = 16 * 1024;
const MAX_BLOCK_BYTES = 4 * 1024 * 1024;

/** Castagnoli's polynomial, reflected. */
const POLYNOMIAL = 0x82f63b78;
const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

/** The masked CRC-32C that a frame carries. */
const checksum = (data: Uint8Array): number => {
  let crc = 0xffffffff;
  for (const byte of data) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
};

/** The input is no S2 stream, or is corrupt. */
export class CorruptS2Stream extends Error {
  override readonly name = 'CorruptS2Stream';
}

/** One compressed block while it is being unpacked. */
class Block {
  readonly #from: Buffer;
  readonly #to: Buffer;
  #at: number;
  #done = 0;
  /** Distance of the last copy, for those that repeat it. */
  #offset = 1;

  constructor(from: Buffer) {
    let [size, shift, at] = [0, 0, 0];
    for (let byte = 0x80; byte & 0x80; shift += 7, at += 1) {
      byte = from.readUInt8(at);
      size += (byte & 0x7f) * 2 ** shift;
    }
    if (size > MAX_BLOCK_BYTES) throw new CorruptS2Stream(`a block of ${size} bytes`);
    this.#from = from;
    this.#to = Buffer.allocUnsafe(size);
    this.#at = at;
  }

  unpack(): Buffer {
    while (this.#at < this.#from.length) {
      const tag = this.#take(1);
      const kind = tag & 3;
      if (kind === 0) this.#literal(tag >>> 2);
      else if (kind === 1) this.#near(tag);
      else {
        this.#offset = this.#take(kind === 2 ? 2 : 4);
        this.#copy(1 + (tag >>> 2));
      }
    }
    if (this.#done !== this.#to.length) throw new CorruptS2Stream('a block is too short');
    return this.#to;
  }

  #take(bytes: number): number {
    const value = this.#from.readUIntLE(this.#at, bytes);
    this.#at += bytes;
    return value;
  }

  #literal(length: number): void {
    const size = 1 + (length < 60 ? length : this.#take(length - 59));
    if (this.#at + size > this.#from.length || this.#done + size > this.#to.length) throw new CorruptS2Stream('text beyond the end');
    this.#from.copy(this.#to, this.#done, this.#at, this.#at + size);
    this.#at += size;
    this.#done += size;
  }

  /** A short copy with a near offset; offset 0 means the one before, and then the length may be long. */
  #near(tag: number): void {
    const offset = ((tag & 0xe0) << 3) | this.#take(1);
    const length = (tag >>> 2) & 7;
    if (offset !== 0) {
      this.#offset = offset;
      this.#copy(length + 4);
    } else if (length === 5) this.#copy(this.#take(1) + 8);
    else if (length === 6) this.#copy(this.#take(2) + 260);
    else if (length === 7) this.#copy(this.#take(3) + 65_540);
    else this.#copy(length + 4);
  }

  #copy(length: number): void {
    const start = this.#done - this.#offset;
    if (start < 0 || this.#offset === 0 || this.#done + length > this.#to.length) throw new CorruptS2Stream('a copy beyond the end');
    if (this.#offset >= length) this.#to.copyWithin(this.#done, start, start + length);
    // Source and target of the copy may overlap: a run repeats.
    else for (let index = 0; index < length; index += 1) this.#to[this.#done + index] = this.#to[start + index] ?? 0;
    this.#done += length;
  }
}

const contentOf = (kind: number, body: Buffer): Buffer | undefined => {
  if (kind === IDENTIFIER || kind >= SKIPPABLE) return undefined;
  if (kind !== COMPRESSED && kind !== PLAIN) throw new CorruptS2Stream(`a frame of kind ${kind}`);
  const data = kind === PLAIN ? body.subarray(4) : unpacked(body.subarray(4));
  if (checksum(data) !== body.readUInt32LE(0)) throw new CorruptS2Stream('a checksum is wrong');
  return data;
};

const unpacked = (block: Buffer): Buffer => {
  try {
    return new Block(block).unpack();
  } catch (error) {
    if (error instanceof RangeError) throw new CorruptS2Stream('a block ends too early', { cause: error });
    throw error;
  }
};

/** Decodes an S2 stream. @throws CorruptS2Stream when it is damaged or ends too early */
export async function* unframed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let [size, needed] = [0, 4];
  for await (const piece of source) {
    waiting.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    size += piece.byteLength;
    if (size < needed) continue;
    let all = Buffer.concat(waiting, size);
    for (;;) {
      needed = all.length < 4 ? 4 : 4 + all.readUIntLE(1, 3);
      if (all.length < needed) break;
      const content = contentOf(all.readUInt8(0), all.subarray(4, needed));
      if (content) yield content;
      all = all.subarray(needed);
    }
    [waiting, size] = [[all], all.length];
  }
  if (size > 0) throw new CorruptS2Stream('it ends within a frame');
}

/** Packs bytes into small frames, not compressed. */
export async function* framed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  yield STREAM_START;
  for await (const piece of source) {
    for (let at = 0; at < piece.length; at += FRAME_BYTES) {
      const data = piece.subarray(at, at + FRAME_BYTES);
      const head = Buffer.alloc(8);
      head.writeUInt8(PLAIN, 0);
      head.writeUIntLE(data.length + 4, 1, 3);
      head.writeUInt32LE(checksum(data), 4);
      yield Buffer.concat([head, data]);
    }
  }
}
