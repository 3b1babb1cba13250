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

async function* flow(parts: readonly Part[]): AsyncGenerator<string> {
  let pending = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      pending += part;
      continue;
    }
    let separator = '';
    for await (const item of part.list.items) {
      pending += separator + item;
      separator = part.separator;
      if (pending.length >= FLUSH_CHARS) {
        yield pending;
        pending = '';
      }
    }
  }
  if (pending !== '') yield pending;
}

const isSync = (items: RenderedList['items']): items is Iterable<string> => Symbol.iterator in items;

/** The whole text of a document all of whose lists are at hand. @throws Error when a list is still to be awaited. */
export const joinParts = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (!isSync(part.list.items)) throw new Error('the document holds a list that is not at hand; stream it');
      return [...part.list.items].join(part.separator);
    })
    .join('');

/** The document as one string when everything is at hand, else as a stream that pulls its lists as the reader takes them. */
export const deliverParts = (parts: readonly Part[]): string | Readable =>
  parts.every((part) => typeof part === 'string' || isSync(part.list.items)) ? joinParts(parts) : Readable.from(flow(parts), { objectMode: false });
