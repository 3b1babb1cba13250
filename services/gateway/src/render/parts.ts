import { Readable } from 'node:stream';
import type { RenderedList } from './node.js';

/** A printed document: text, with the long lists still to be pulled between. */
export type Part = string | { readonly list: RenderedList; readonly separator: string };

/** Text is handed to the socket in pieces of about this many characters. */
const FLUSH_CHARS = 64 * 1024;

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

/** Hands on text in pieces of a good size. Short pieces would cost calls, and long strings of many parts cost memory for as long as they live. */
class Chunker {
  private pending = '';
  private readonly ready: Buffer[] = [];

  add(text: string): void {
    this.pending += text;
    if (this.pending.length >= FLUSH_CHARS) this.flush();
  }

  flush(): void {
    if (this.pending !== '') this.ready.push(Buffer.from(this.pending));
    this.pending = '';
  }

  take(): Buffer[] {
    return this.ready.splice(0);
  }
}

const addItems = (chunker: Chunker, items: Iterable<string>, list: { readonly separator: string; started: boolean }): void => {
  for (const item of items) {
    chunker.add(list.started ? list.separator + item : item);
    list.started = true;
  }
};

async function* chunksOf(parts: readonly Part[]): AsyncGenerator<Buffer> {
  const chunker = new Chunker();
  for (const part of parts) {
    if (typeof part === 'string') {
      chunker.add(part);
      continue;
    }
    const list = { separator: part.separator, started: false };
    if (isSync(part.list.items)) addItems(chunker, part.list.items, list);
    else {
      for await (const batch of part.list.items) {
        addItems(chunker, batch, list);
        yield* chunker.take();
      }
    }
    yield* chunker.take();
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
  return Buffer.concat(chunks);
};

/** The document as a stream that pulls its lists as the reader takes them: memory stays flat. */
export const streamParts = (parts: readonly Part[]): Readable => Readable.from(chunksOf(parts), { objectMode: false });
