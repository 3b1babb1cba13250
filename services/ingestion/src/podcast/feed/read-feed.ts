import { Parser } from 'htmlparser2';
import { FeedFault, type Feed } from './feed.js';
import { FeedGatherer } from './feed-gatherer.js';
import { NamespaceScopes } from './feed-names.js';

/** Source of a document, beside its bytes. */
export interface FeedSource {
  /** Where it came from, after redirects; addresses in it are relative to this one. */
  readonly url: string;
  /** Header `content-type`, which may name the character set. */
  readonly contentType?: string | undefined;
  /** Now, epoch ms. */
  readonly nowMs: number;
}

/** Where nothing could be read by then, nothing will be, bytes. */
const HEAD_BYTES = 1024;

type Decoder = InstanceType<typeof TextDecoder>;

const decoderOf = (label: string | undefined): Decoder | undefined => {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // A set that nobody knows: what else is said of the document decides.
    return undefined;
  }
};

const markOf = (head: Uint8Array): string | undefined => {
  const [a, b, c] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0x3c && b === 0) return 'utf-16le';
  return a === 0 && b === 0x3c ? 'utf-16be' : undefined;
};

/** By its mark, by what it says itself, by what the server says; else UTF-8. The declaration goes before the header: servers send one for all their files. */
const decoderFor = (head: Uint8Array, contentType: string | undefined): Decoder => {
  const ascii = Buffer.from(head).toString('latin1');
  const declared = /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(ascii)?.[1];
  const header = /\bcharset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  // A declaration that can be read as ASCII tells a lie when it says UTF-16.
  const honest = declared?.toLowerCase().startsWith('utf-16') ? 'utf-8' : declared;
  return decoderOf(markOf(head)) ?? decoderOf(honest) ?? decoderOf(header) ?? new TextDecoder();
};

const local = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/**
 * Reads one document piece by piece. What is not well-formed (bare ampersands, names of HTML, ends that fit nothing) is read as far as it makes sense, as players
 * do; entities are never declared or fetched.
 */
class FeedParser {
  readonly #parser: Parser;
  readonly #gatherer: FeedGatherer;
  readonly #scopes = new NamespaceScopes();
  #begun = false;
  #isEnding = false;

  constructor({ url, nowMs }: FeedSource) {
    const gatherer = (this.#gatherer = new FeedGatherer(url, nowMs));
    const handlers = {
      onopentag: (name: string, attributes: Readonly<Record<string, string>>): void => {
        this.#begun = true;
        const plain = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [local(key), value]));
        gatherer.open(this.#scopes.open(name, attributes), plain);
      },
      ontext: (text: string): void => gatherer.text(text),
      // An item that is open at the end of the document is incomplete and left out.
      onclosetag: (): void => {
        if (this.#isEnding) return;
        this.#scopes.close();
        gatherer.close();
      },
      onprocessinginstruction: (name: string, data: string): void => {
        // RSS 0.91 names a public type; one with declarations in it is a trap, and nothing that a feed needs.
        if (name.toLowerCase() === '!doctype' && data.includes('['))
          throw new FeedFault('document-type', 'The document declares entities, which are not read');
      },
    };
    this.#parser = new Parser(handlers, { xmlMode: true });
  }

  get isFull(): boolean {
    return this.#gatherer.isFull;
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): Feed {
    this.#isEnding = true;
    if (!this.#gatherer.isFull) this.#parser.end();
    if (!this.#begun) throw new FeedFault('malformed', 'The document is no XML');
    return this.#gatherer.feed();
  }
}

/** At least this much, or all there is, before it is decided how the bytes are read. */
const headOf = async (chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES;) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    parts.push(value);
    bytes += value.length;
  }
  return Buffer.concat(parts);
};

/**
 * Reads a feed while it arrives. Ends early, with what it has, when the feed holds more episodes than are read; limits of bytes and time are those of the source.
 * @throws FeedFault for what is no feed, and whatever `chunks` throws
 */
export const readFeed = async (chunks: AsyncIterable<Uint8Array>, source: FeedSource): Promise<Feed> => {
  const iterator = chunks[Symbol.asyncIterator]();
  const parser = new FeedParser(source);
  try {
    const head = await headOf(iterator);
    const decoder = decoderFor(head, source.contentType);
    parser.write(decoder.decode(head, { stream: true }));
    while (!parser.isFull) {
      const { value, done } = await iterator.next();
      if (done === true) break;
      parser.write(decoder.decode(value, { stream: true }));
    }
    return parser.end();
  } finally {
    await iterator.return?.();
  }
};
