import { open, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import { FileTokenizer, type ITokenizer } from 'strtok3';
import { isAddress, openRanged, type ReadableFile } from './ranged-file.js';

/** Parsers ask for a few bytes at a time; one read of this size serves dozens of them. */
const BLOCK_BYTES = 32_768;
/** After this many blocks a parser evidently hops through the whole file: then little is read around each place. */
const LARGE_BLOCKS = 8;
const SMALL_BLOCK_BYTES = 4096;
const KEPT_BLOCKS = 4;

interface Block {
  readonly start: number;
  readonly bytes: Uint8Array;
  readonly buffer: Uint8Array;
}

/** Buffers of closed files, used again: nothing outside keeps a view of a block, and fresh ones would be most of what a scan allocates. */
const spareBuffers: Uint8Array[] = [];
const MAX_SPARE_BUFFERS = 64;

const giveBack = ({ buffer }: Block): void => {
  if (buffer.length === BLOCK_BYTES && spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(buffer);
};

/** Reading went on past its deadline. */
export class ReadingTookTooLong extends Error {
  override readonly name = 'ReadingTookTooLong';
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
    if (performance.now() > this.#deadline) throw new ReadingTookTooLong();
    if (length >= BLOCK_BYTES) return this.#handle.read(target, offset, length, position);
    if (position >= this.#sizeBytes || length <= 0) return { bytesRead: 0 };
    const block =
      this.#blocks.find(({ start, bytes }) => position >= start && position < start + bytes.length) ?? (await this.#load(position));
    const from = position - block.start;
    const part = block.bytes.subarray(from, from + length);
    target.set(part, offset);
    return { bytesRead: part.length };
  }

  /** Has readers see these bytes in place of the file's first ones. */
  standInFor(head: Uint8Array): void {
    this.#head = head;
    for (const block of this.#blocks.splice(0)) giveBack(block);
  }

  close(): Promise<void> {
    for (const block of this.#blocks.splice(0)) giveBack(block);
    return this.#handle.close();
  }

  /** Reads around a place: at the end of the file backwards, because that is where readers look for trailing tags one after the other. */
  async #load(position: number): Promise<Block> {
    this.#loads += 1;
    const wanted = this.#loads > LARGE_BLOCKS ? SMALL_BLOCK_BYTES : BLOCK_BYTES;
    const start = Math.min(position, Math.max(0, this.#sizeBytes - wanted));
    const buffer = wanted === BLOCK_BYTES ? (spareBuffers.pop() ?? new Uint8Array(BLOCK_BYTES)) : new Uint8Array(wanted);
    const { bytesRead } = await this.#handle.read(buffer, 0, Math.min(wanted, this.#sizeBytes - start), start);
    if (start < this.#head.length) buffer.set(this.#head.subarray(start, start + bytesRead));
    const block = { start, bytes: buffer.subarray(0, bytesRead), buffer };
    this.#blocks.unshift(block);
    const oldest = this.#blocks.length > KEPT_BLOCKS ? this.#blocks.pop() : undefined;
    if (oldest) giveBack(oldest);
    return block;
  }
}

/** The parser's own view of a file, over blocks in memory. */
class BufferedTokenizer extends FileTokenizer {
  constructor(reader: BlockReader, path: string, sizeBytes: number) {
    super(reader as unknown as FileHandle, { fileInfo: { path, size: sizeBytes } });
  }
}

/** An opened regular file as parsers read it. */
export interface OpenedFile {
  readonly tokenizer: ITokenizer;
  readonly sizeBytes: number;
  /** Has the parser see these bytes in place of the file's first ones, at most a few thousand. */
  readonly standInFor: (head: Uint8Array) => void;
}

/**
 * Opens a file for parsing. Pipes and devices are refused without ever blocking on them.
 * @param deadline on the clock of `performance.now()`; every read after it fails with {@link ReadingTookTooLong}
 * @throws the file system's error, or one with the code `EISDIR` for what is no regular file
 */
export const openBuffered = async (path: string, deadline: number): Promise<OpenedFile> => {
  const handle: ReadableFile = isAddress(path)
    ? await openRanged(path)
    : await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw Object.assign(new Error('it is no regular file'), { code: 'EISDIR' });
    const reader = new BlockReader(handle, stats.size, deadline);
    const tokenizer = new BufferedTokenizer(reader, path, stats.size);
    return { tokenizer, sizeBytes: stats.size, standInFor: (head) => reader.standInFor(head) };
  } catch (error) {
    await handle.close();
    throw error;
  }
};
