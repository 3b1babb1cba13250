import { parseBuffer, parseFromTokenizer, type IAudioMetadata, type IFileInfo, type IOptions } from 'music-metadata';
import type { ITokenizer } from 'strtok3';
import type { Notice } from './tag-reader.js';

/** Values of one tag that are looked at; of credits and genres fifty are kept. */
const MAX_VALUES = 200;
/** Tags of a file, of all names together. */
const MAX_TAGS = 5000;
/** Longest text of a tag: words of a song, or a cue sheet. What is kept of titles and names is far shorter. */
const MAX_TEXT_CHARS = 200_000;
/** Limit on the total of long texts, in characters. */
const MAX_LONG_CHARS = 2_000_000;
const PLAIN_CHARS = 1000;

/** Collector of tags in the parser. */
interface Collector {
  addTag(type: string, id: string, value: unknown): Promise<void>;
}

const isCollector = (metadata: unknown): metadata is Collector =>
  typeof metadata === 'object' && metadata !== null && 'addTag' in metadata && typeof metadata.addTag === 'function';

/** Comments and words of ID3 are objects with a text. */
const withText = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (value === null || typeof value !== 'object' || !('text' in value) || typeof value.text !== 'string') return value;
  return { ...value, text: change(value.text) };
};

/** Takes the first of what a file says, and remembers whether there was more. */
class TagBounds {
  readonly #values = new Map<string, number>();
  readonly #bounded = new WeakSet<Collector>();
  #tags = 0;
  #longChars = 0;
  wasExceeded = false;

  /** Looks at every tag before the collector has it. */
  bound(metadata: unknown): void {
    if (!isCollector(metadata) || this.#bounded.has(metadata)) return;
    this.#bounded.add(metadata);
    const add = metadata.addTag.bind(metadata);
    metadata.addTag = async (type, id, value) => {
      if (this.#takes(`${type} ${id}`))
        await add(
          type,
          id,
          withText(value, (text) => this.#within(text)),
        );
    };
  }

  #takes(name: string): boolean {
    const before = this.#values.get(name) ?? 0;
    if (before >= MAX_VALUES || this.#tags >= MAX_TAGS) {
      this.wasExceeded = true;
      return false;
    }
    this.#values.set(name, before + 1);
    this.#tags += 1;
    return true;
  }

  #within(text: string): string {
    const most = Math.min(MAX_TEXT_CHARS, PLAIN_CHARS + Math.max(0, MAX_LONG_CHARS - this.#longChars));
    this.#longChars += Math.max(0, Math.min(text.length, most) - PLAIN_CHARS);
    return this.#cut(text, most);
  }

  #cut(text: string, most: number): string {
    if (text.length <= most) return text;
    this.wasExceeded = true;
    return text.slice(0, most).toWellFormed();
  }

  /** The parser shows itself with the first tag that it knows, which has passed by then. */
  lookBack({ native }: Pick<IAudioMetadata, 'native'>): void {
    for (const tag of Object.values(native).flat()) tag.value = withText(tag.value, (text) => this.#cut(text, MAX_TEXT_CHARS));
  }
}

/** Tags as the parser reads them, and whether the file says more than that. */
export interface BoundedTags {
  readonly metadata: IAudioMetadata;
  readonly isCut: boolean;
}

const bounded = async (parse: (options: IOptions) => Promise<IAudioMetadata>, options: IOptions = {}): Promise<BoundedTags> => {
  const bounds = new TagBounds();
  const metadata = await parse({ ...options, observer: (event) => bounds.bound(event.metadata) });
  bounds.lookBack(metadata);
  return { metadata, isCut: bounds.wasExceeded };
};

/** Reads tags of a file, so many as anybody means: what the parser does with a value takes longer, the more there are. */
export const readTags = (tokenizer: ITokenizer, options?: IOptions): Promise<BoundedTags> =>
  bounded((all) => parseFromTokenizer(tokenizer, all), options);

/** The same of bytes in memory. */
export const readTagsIn = (bytes: Uint8Array, fileInfo: IFileInfo): Promise<BoundedTags> =>
  bounded((options) => parseBuffer(bytes, fileInfo, options));

/** Notice in the report of a scan for tags beyond the limits. */
export const CUT_TAGS: Notice = {
  reason: 'too-large',
  message: `its tags say more than is read: the first ${MAX_VALUES} values of each, ${MAX_TAGS} together, and ${MAX_TEXT_CHARS} characters of a text`,
};
