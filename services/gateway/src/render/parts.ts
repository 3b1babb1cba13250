import { Readable } from 'node:stream';
import { Slice } from '@continuo/chassis';
import type { RenderedList } from './node.js';

/** A printed document: text, with the long lists still to be pulled between. */
export type Part = string | { readonly list: RenderedList; readonly separator: string };

/** Text is handed to the socket in pieces of about this many bytes. */
const CHUNK_BYTES = 64 * 1024;
/** The first piece of a document, as most documents are short. */
const FIRST_CHUNK_BYTES = 8 * 1024;
/** Bytes that a UTF-16 unit takes at most. */
const BYTES_PER_UNIT = 3;

/** Collects text and the lists that interrupt it. */
export class PartWriter {
  readonly parts: Part[] = [];
  private text = '';

  push(text: string): void {
    this.text += text;
  }

  pushList(list: RenderedList, separator: string): void {
    this.parts.push(this.text, { list, separator });
    this.text = '';
  }

  finish(): Part[] {
    if (this.text !== '') this.parts.push(this.text);
    this.text = '';
    return this.parts;
  }
}

const isSync = (items: RenderedList['items']): items is Iterable<string> => Symbol.iterator in items;

/** Hands on text in pieces of a good size. Each text is encoded into the piece at once: joining them before would copy all of it once more. */
class Chunker {
  private chunk: Buffer | undefined;
  private used = 0;
  private chunkBytes = FIRST_CHUNK_BYTES;
  private readonly ready: Buffer[] = [];

  add(text: string): void {
    const atMost = text.length * BYTES_PER_UNIT;
    if (this.chunk && atMost > this.chunk.length - this.used) this.flush();
    if (atMost > this.chunkBytes) {
      this.ready.push(Buffer.from(text));
      return;
    }
    this.chunk ??= Buffer.allocUnsafe(this.chunkBytes);
    this.used += this.chunk.write(text, this.used);
  }

  flush(): void {
    if (!this.chunk) return;
    this.ready.push(this.chunk.subarray(0, this.used));
    this.chunk = undefined;
    this.used = 0;
    this.chunkBytes = CHUNK_BYTES;
  }

  get isReady(): boolean {
    return this.ready.length > 0;
  }

  take(): Buffer[] {
    return this.ready.splice(0);
  }
}

/** A list that is at hand as one batch of one that comes. */
async function* batchesOf(items: RenderedList['items']): AsyncGenerator<Iterable<string>> {
  if (isSync(items)) yield items;
  else yield* items;
}

async function* chunksOf(parts: readonly Part[]): AsyncGenerator<Buffer, undefined> {
  const chunker = new Chunker();
  const slice = new Slice();
  for (const part of parts) {
    if (typeof part === 'string') {
      chunker.add(part);
      continue;
    }
    let separator = '';
    for await (const batch of batchesOf(part.list.items)) {
      for (const item of batch) {
        if (slice.isOver) await slice.next();
        if (separator !== '') chunker.add(separator);
        chunker.add(item);
        separator = part.separator;
        if (chunker.isReady) yield* chunker.take();
      }
    }
  }
  chunker.flush();
  yield* chunker.take();
}

/** The whole text of a document all of whose lists are at hand. @throws Error when a list is still to be awaited. */
export const joinParts = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (!isSync(part.list.items)) throw new Error('the document holds a list that is not at hand; gather or stream it');
      return [...part.list.items].join(part.separator);
    })
    .join('');

/** The whole document as bytes. */
export const gatherParts = async (parts: readonly Part[]): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(parts)) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
};

/** True for a document with a list that is too long to be held whole. */
export const isLong = (parts: readonly Part[]): boolean => parts.some((part) => typeof part !== 'string' && part.list.isLong === true);

async function* resumed(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>, onTaken: () => void): AsyncGenerator<Buffer> {
  if (first.done === true) return;
  yield first.value;
  for await (const chunk of rest) {
    onTaken();
    yield chunk;
  }
}

/** Where a whole document is left once it was written, unless it is longer than `maxBytes`. */
export interface KeepWhole {
  readonly maxBytes: number;
  readonly keep: (body: Buffer) => void;
}

async function* keeping(chunks: AsyncGenerator<Buffer>, { maxBytes, keep }: KeepWhole): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes <= maxBytes) held.push(chunk);
    else held = [];
    yield chunk;
  }
  if (bytes <= maxBytes) keep(Buffer.concat(held));
}

/**
 * The document as a stream that pulls its lists as the reader takes them: memory stays flat. Its beginning is read at once, so that what fails there is told in an envelope; what
 * fails later ends the stream with an error, and the connection with it, so that nobody takes it for the whole.
 * @param onTaken is told each time that the reader has taken some of it
 * @param whole where the document is left once all of it was taken
 */
export const streamParts = async (parts: readonly Part[], onTaken: () => void = () => undefined, whole?: KeepWhole): Promise<Readable> => {
  const chunks = whole ? keeping(chunksOf(parts), whole) : chunksOf(parts);
  return Readable.from(resumed(await chunks.next(), chunks, onTaken), { objectMode: false });
};
