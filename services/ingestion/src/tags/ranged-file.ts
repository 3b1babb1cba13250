import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Interface of an open file for parsers. */
export interface ReadableFile {
  read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  stat(): Promise<{ readonly size: number; isFile(): boolean }>;
  close(): Promise<void>;
}

/** Files of other places have an address on this machine; everything else is a path. */
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\//;
/** The first request takes what most tags fit into, so that it is the only one for their sake. */
const HEAD_BYTES = 256 * 1024;
/** Each further request takes at least this much, for it costs a way there and back. */
const BLOCK_BYTES = 64 * 1024;
/** At the end of a file readers look backwards, for tags, last pages and last frames: all of that comes at once. */
const TAIL_BYTES = 128 * 1024;
/** Sequential reads grow up to this block size. */
const MAX_BLOCK_BYTES = 1024 * 1024;
const KEPT_BLOCKS = 6;
const ANSWER_MS = 30_000;
const TOTAL = /^bytes \d+-\d+\/(\d+)$/;

/** Connections to this very machine are kept: a song takes some requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** True for the location of a file that lies on no disk of this machine. */
export const isAddress = (location: string): boolean => ADDRESS.test(location);

const failure = (status: number): Error =>
  status === 404
    ? Object.assign(new Error('the file is not there any more'), { code: 'ENOENT' })
    : Object.assign(new Error(`its place cannot be asked (${status})`), { code: 'EIO' });

interface Part {
  readonly bytes: Buffer;
  /** Of the whole file. */
  readonly sizeBytes: number;
}

const answerTo = (address: string, range: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(address, { agent, headers: { range }, timeout: ANSWER_MS }, resolve);
    request.once('timeout', () => request.destroy(new Error('its place does not answer')));
    request.once('error', (error) => reject(Object.assign(error, { code: 'EIO' })));
  });

const fetchPart = async (address: string, start: number, end: number): Promise<Part> => {
  const answer = await answerTo(address, `bytes=${start}-${end}`);
  if (answer.statusCode === 416) {
    answer.resume();
    return { bytes: Buffer.alloc(0), sizeBytes: 0 };
  }
  if (answer.statusCode !== 206) {
    answer.resume();
    throw failure(answer.statusCode ?? 0);
  }
  const sizeBytes = Number(TOTAL.exec(answer.headers['content-range'] ?? '')?.[1] ?? 0);
  try {
    return { bytes: await buffer(answer), sizeBytes };
  } catch (error) {
    throw Object.assign(new Error('its place broke off', { cause: error }), { code: 'EIO' });
  }
};

/** A file that is read in ranges over HTTP from this machine; a few blocks are kept, and no byte is asked for that nobody reads but those around it. */
class RangedFile implements ReadableFile {
  readonly #blocks: { start: number; bytes: Buffer }[] = [];
  #readUpTo: number;
  #blockBytes = BLOCK_BYTES;
  // No parameter properties: this runs in reader threads, which may run from sources.
  private readonly address: string;
  private readonly sizeBytes: number;

  constructor(address: string, sizeBytes: number, head: Buffer) {
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.#blocks.push({ start: 0, bytes: head });
    this.#readUpTo = head.length;
  }

  stat(): Promise<{ size: number; isFile: () => boolean }> {
    return Promise.resolve({ size: this.sizeBytes, isFile: () => true });
  }

  async read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const end = Math.min(position + length, this.sizeBytes);
    if (end <= position) return { bytesRead: 0 };
    const { start, bytes } = this.#found(position, end) ?? (await this.#load(position, end));
    const part = bytes.subarray(position - start, end - start);
    target.set(part, offset);
    return { bytesRead: part.length };
  }

  close(): Promise<void> {
    this.#blocks.length = 0;
    return Promise.resolve();
  }

  #found(position: number, end: number): { start: number; bytes: Buffer } | undefined {
    return this.#blocks.find(({ start, bytes }) => position >= start && end <= start + bytes.length);
  }

  async #load(position: number, end: number): Promise<{ start: number; bytes: Buffer }> {
    const goesOn = position >= this.#readUpTo && position - this.#readUpTo < BLOCK_BYTES;
    this.#blockBytes = goesOn ? Math.min(this.#blockBytes * 2, MAX_BLOCK_BYTES) : BLOCK_BYTES;
    const start = Math.min(position, Math.max(0, this.sizeBytes - TAIL_BYTES));
    const until = position > start ? this.sizeBytes : Math.min(this.sizeBytes, Math.max(end, start + this.#blockBytes));
    this.#readUpTo = until;
    const { bytes } = await fetchPart(this.address, start, until - 1);
    const block = { start, bytes };
    this.#blocks.unshift(block);
    // The beginning is looked at again and again.
    if (this.#blocks.length > KEPT_BLOCKS) this.#blocks.splice(-2, 1);
    return block;
  }
}

/** Opens a file by its address. @throws an error with the code `ENOENT` for one that is gone, `EIO` when its place cannot be asked */
export const openRanged = async (address: string): Promise<ReadableFile> => {
  const { bytes, sizeBytes } = await fetchPart(address, 0, HEAD_BYTES - 1);
  return new RangedFile(address, sizeBytes, bytes);
};
