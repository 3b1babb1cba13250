import type { FileHandle } from 'node:fs/promises';
import { FileTokenizer, type IGetToken, type ITokenizer } from 'strtok3';
import { openDiskFile } from './disk-file.js';
import { isAddress, openRanged, type ReadableFile } from './ranged-file.js';
import type { ReadAt } from './raw-tags.js';

/** A file of up to this size is read at once; of others no more is kept in one piece. */
const BUFFER_BYTES = 131_072;
/** Parsers ask for a few bytes at a time; one read of this size serves dozens of them. */
const BLOCK_BYTES = 65_536;
/** After this many blocks a parser evidently hops through the whole file: then little is read around each place. */
const LARGE_BLOCKS = 8;
const SMALL_BLOCK_BYTES = 4096;
const KEPT_BLOCKS = 4;

interface Block {
  readonly start: number;
  readonly bytes: Buffer;
  readonly buffer: Buffer;
  /** True once somebody may look at its bytes until the file is closed. */
  isShared: boolean;
}

/** Buffers of closed files, used again: fresh ones would be most of what a scan allocates. */
const spareBuffers: Buffer[] = [];
const MAX_SPARE_BUFFERS = 32;

const giveBack = ({ buffer }: Block): void => {
  if (buffer.length === BUFFER_BYTES && spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(buffer);
};

/** Reading went on past its deadline. */
export class TagReadTimeout extends Error {
  override readonly name = 'TagReadTimeout';
}

/** Serves small reads of one file from a few blocks in memory. */
class BlockReader {
  readonly #handle: ReadableFile;
  readonly #sizeBytes: number;
  readonly #deadline: number;
  readonly #blocks: Block[] = [];
  #loads = 0;
  #head: Uint8Array = new Uint8Array();

  constructor(handle: ReadableFile, sizeBytes: number, deadline: number) {
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
    this.#deadline = deadline;
  }

  /** The same as `FileHandle.read` with a position. */
  async read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    this.#refuseLate();
    if (position >= this.#sizeBytes || length <= 0) return { bytesRead: 0 };
    const known = this.#blockAt(position);
    if (known === undefined && length >= BLOCK_BYTES) return this.#handle.read(target, offset, length, position);
    const block = known ?? (await this.#load(position, 0));
    const from = position - block.start;
    const part = block.bytes.subarray(from, from + length);
    target.set(part, offset);
    return { bytesRead: part.length };
  }

  /** A copy of some bytes, when they are in memory already. */
  copyAt(position: number, length: number): Uint8Array | undefined {
    this.#refuseLate();
    const block = this.#blockAt(position);
    const from = position - (block?.start ?? 0);
    return block && from + length <= block.bytes.length ? Uint8Array.prototype.slice.call(block.bytes, from, from + length) : undefined;
  }

  /** Bytes of the file, as many as there are. They stay what they are until the file is closed. */
  async peek(length: number, position: number): Promise<Buffer> {
    this.#refuseLate();
    const there = Math.min(length, this.#sizeBytes - position);
    if (there <= 0) return Buffer.alloc(0);
    if (there > BUFFER_BYTES) return this.#readWhole(there, position);
    const known = this.#blocks.find(({ start, bytes }) => position >= start && position + there <= start + bytes.length);
    const block = known ?? (await this.#load(position, there));
    block.isShared = true;
    return block.bytes.subarray(position - block.start, position - block.start + there);
  }

  /** Has readers see these bytes in place of the file's first ones. */
  standInFor(head: Uint8Array): void {
    this.#head = head;
    this.#blocks.length = 0;
  }

  close(): Promise<void> {
    for (const block of this.#blocks.splice(0)) giveBack(block);
    return this.#handle.close();
  }

  #refuseLate(): void {
    if (performance.now() > this.#deadline) throw new TagReadTimeout();
  }

  #blockAt(position: number): Block | undefined {
    return this.#blocks.find(({ start, bytes }) => position >= start && position < start + bytes.length);
  }

  async #readWhole(length: number, position: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#handle.read(bytes, 0, length, position);
    return bytes.subarray(0, bytesRead);
  }

  /** Reads around a place: at the end of the file backwards, because that is where readers look for trailing tags one after the other. */
  async #load(position: number, atLeast: number): Promise<Block> {
    this.#loads += 1;
    const usual = this.#sizeBytes <= BUFFER_BYTES ? this.#sizeBytes : this.#loads > LARGE_BLOCKS ? SMALL_BLOCK_BYTES : BLOCK_BYTES;
    const wanted = Math.max(usual, atLeast);
    const start = Math.min(position, Math.max(0, this.#sizeBytes - wanted));
    const buffer = wanted > SMALL_BLOCK_BYTES ? (spareBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)) : Buffer.allocUnsafe(wanted);
    const { bytesRead } = await this.#handle.read(buffer, 0, Math.min(wanted, this.#sizeBytes - start), start);
    if (start < this.#head.length) buffer.set(this.#head.subarray(start, start + bytesRead));
    const block = { start, bytes: buffer.subarray(0, bytesRead), buffer, isShared: false };
    this.#blocks.unshift(block);
    const oldest = this.#blocks.length > KEPT_BLOCKS ? this.#blocks.pop() : undefined;
    if (oldest && !oldest.isShared) giveBack(oldest);
    return block;
  }
}

/** The parser's own view of a file, over blocks in memory. What is there already takes no way through the library's reads. */
class BufferedTokenizer extends FileTokenizer {
  readonly #reader: BlockReader;

  constructor(reader: BlockReader, path: string, sizeBytes: number) {
    super(reader as unknown as FileHandle, { fileInfo: { path, size: sizeBytes } });
    this.#reader = reader;
  }

  override async readToken<T>(token: IGetToken<T>, position = this.position): Promise<T> {
    const bytes = this.#reader.copyAt(position, token.len);
    if (bytes === undefined) return super.readToken(token, position);
    this.position = position + token.len;
    return token.get(bytes, 0);
  }

  override async peekToken<T>(token: IGetToken<T>, position = this.position): Promise<T> {
    const bytes = this.#reader.copyAt(position, token.len);
    return bytes === undefined ? super.peekToken(token, position) : token.get(bytes, 0);
  }
}

/** An opened regular file as parsers read it. */
export interface OpenedFile {
  readonly tokenizer: ITokenizer;
  readonly sizeBytes: number;
  /** Has the parser see these bytes in place of the file's first ones, at most a few thousand. */
  readonly standInFor: (head: Uint8Array) => void;
  /** Looks at bytes without moving on; what it answers is valid until the file is closed. */
  readonly peek: ReadAt;
}

/**
 * Opens a file for parsing. Pipes and devices are refused without ever blocking on them.
 * @param deadline on the clock of `performance.now()`; every read after it fails with {@link TagReadTimeout}
 * @throws the file system's error, or one with the code `EISDIR` for what is no regular file
 */
export const openBuffered = async (path: string, deadline: number): Promise<OpenedFile> => {
  const handle = isAddress(path) ? await openRanged(path) : await openDiskFile(path);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw Object.assign(new Error('it is no regular file'), { code: 'EISDIR' });
    const reader = new BlockReader(handle, stats.size, deadline);
    const tokenizer = new BufferedTokenizer(reader, path, stats.size);
    return {
      tokenizer,
      sizeBytes: stats.size,
      standInFor: (head) => reader.standInFor(head),
      peek: (length, position) => reader.peek(length, position),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
};
