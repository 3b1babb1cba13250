import { createHash } from 'node:crypto';
import { FeedFault, MAX_DESCRIPTION_CHARS, MAX_EPISODES, type Feed, type FeedEpisode } from './feed.js';
import { addressOf, lineOf, linesOf, mimeOf } from './feed-text.js';
import { durationOf, timeOf } from './feed-times.js';

/** Attributes of an element, by local name in lower case. */
export type Attributes = Readonly<Record<string, string>>;
/** Texts of one channel or item by the name of their element, the first of each; attributes that matter stand under `name@attribute`. */
type Fields = Map<string, string>;

const MAX_DEPTH = 64;
/** Markup included; more of one element is not read. */
const MAX_RAW_CHARS = 8 * MAX_DESCRIPTION_CHARS;
const MAX_KEY_CHARS = 300;
const MAX_SIZE_BYTES = 1e12;

const ROOTS: ReadonlySet<string> = new Set(['rss', 'rdf:RDF', 'atom:feed', 'feed']);
const ITEMS: ReadonlySet<string> = new Set(['item', 'atom:entry', 'entry']);
/** In these servers put what went wrong in front of a feed. */
const NOTICES: ReadonlySet<string> = new Set(['br', 'b', 'i', 'p', 'pre', 'font', 'strong', 'em', 'code', 'div', 'span']);
const MAX_NOTICES = 200;
const CHANNELS: ReadonlySet<string> = new Set(['channel', 'atom:feed', 'feed']);

const first = (fields: Fields, ...names: readonly string[]): string | undefined => {
  for (const name of names) if (fields.get(name)?.trim()) return fields.get(name);
  return undefined;
};

const sizeOf = (text: string | undefined): number | null => {
  const size = Number(text?.trim() === '' ? Number.NaN : text);
  return Number.isSafeInteger(size) && size > 0 && size < MAX_SIZE_BYTES ? size : null;
};

const keyOf = (text: string): string => (text.length <= MAX_KEY_CHARS ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`);

/** An episode and whether the feed gave it an identity of its own. */
interface Drafted {
  readonly guid: string;
  readonly episode: Omit<FeedEpisode, 'key'>;
}

/** Gathers a feed from the events of a parser; takes RSS 0.9 to 2.0, RDF and Atom. */
export class FeedGatherer {
  readonly #path: string[] = [];
  readonly #channel: Fields = new Map();
  readonly #drafts: Drafted[] = [];
  #item: Fields | undefined;
  #itemDepth = 0;
  /** Texts of the open elements. */
  readonly #texts: string[] = [];
  #leftOut = 0;
  #isCut = false;
  #notices = 0;

  constructor(
    private readonly url: string,
    private readonly nowMs: number,
  ) {}

  /** No more is taken. */
  get isFull(): boolean {
    return this.#isCut;
  }

  /** An element begins. @throws FeedFault */
  open(name: string, attributes: Attributes): void {
    if (this.#path.length >= MAX_DEPTH) throw new FeedFault('too-deep', `The document nests more than ${MAX_DEPTH} levels`);
    if (this.#path.length === 0 && !ROOTS.has(name)) return this.#notice(name);
    this.#path.push(name);
    this.#texts.push('');
    if (this.#item === undefined && ITEMS.has(name)) {
      this.#isCut ||= this.#drafts.length >= MAX_EPISODES;
      this.#item = new Map();
      this.#itemDepth = this.#path.length;
    } else this.#attributes(name, attributes);
  }

  /** Skips elements in front of the feed, unless it is an HTML page. @throws FeedFault */
  #notice(name: string): void {
    this.#notices += 1;
    if (!NOTICES.has(name) || this.#notices > MAX_NOTICES)
      throw new FeedFault('not-a-feed', 'The document is XML, but neither RSS nor Atom');
  }

  /** Text of the element that began last. */
  text(piece: string): void {
    const last = this.#texts.length - 1;
    if (last >= 0 && (this.#texts[last] as string).length < MAX_RAW_CHARS) this.#texts[last] += piece.slice(0, MAX_RAW_CHARS);
  }

  /** The element that began last ends. */
  close(): void {
    const name = this.#path.pop();
    const text = this.#texts.pop();
    if (name === undefined || text === undefined) return;
    if (this.#item !== undefined && this.#path.length < this.#itemDepth) {
      if (!this.#isCut) this.#take(this.#item);
      this.#item = undefined;
      return;
    }
    this.#keep(name, text);
    // Markup that nobody escaped: its words belong to the text around it.
    if (this.#path.length > (this.#owner()?.depth ?? MAX_DEPTH)) this.text(text);
  }

  /** Returns the feed. @throws FeedFault when the document is none */
  feed(): Feed {
    const channel = this.#channel;
    const title = lineOf(first(channel, 'title', 'atom:title', 'itunes:title'));
    const episodes = identified(this.#drafts);
    if (title === '' && episodes.length === 0) throw new FeedFault('empty', 'The feed has neither a title nor anything to play');
    return {
      title,
      description: linesOf(first(channel, 'description', 'itunes:summary', 'atom:subtitle', 'itunes:subtitle', 'subtitle')),
      language: lineOf(first(channel, 'language', 'dc:language', '@lang')).slice(0, 20),
      copyright: lineOf(first(channel, 'copyright', 'dc:rights', 'atom:rights', 'rights')),
      generator: lineOf(first(channel, 'generator', 'atom:generator')),
      author: lineOf(first(channel, 'itunes:author', 'author/name', 'dc:creator', 'managingEditor', 'author')),
      websiteUrl: addressOf(first(channel, 'link', 'link@alternate'), this.url),
      imageUrl: addressOf(first(channel, 'itunes:image@href', 'image/url', 'atom:logo', 'media:thumbnail@url', 'atom:icon'), this.url),
      builtAtMs: timeOf(first(channel, 'lastBuildDate', 'pubDate', 'atom:updated', 'updated', 'dc:date'), this.nowMs),
      episodes,
      leftOut: this.#leftOut,
      isCut: this.#isCut,
    };
  }

  /** The fields that the open element belongs to: of an item, or of the channel; none for what lies deeper than one level inside them. */
  #owner(): { readonly fields: Fields; readonly depth: number } | undefined {
    if (this.#item) return { fields: this.#item, depth: this.#itemDepth };
    const at = this.#path.findIndex((name) => CHANNELS.has(name));
    return at < 0 ? undefined : { fields: this.#channel, depth: at + 1 };
  }

  #keep(name: string, text: string): void {
    const owner = this.#owner();
    if (owner === undefined || text.trim() === '') return;
    const inside = this.#path.length - owner.depth;
    const parent = this.#path.at(-1)?.replace('atom:', '') ?? '';
    const field = inside === 0 ? name : inside === 1 ? `${parent}/${name.replace('atom:', '')}` : undefined;
    if (field !== undefined && !owner.fields.get(field)?.trim()) owner.fields.set(field, text);
  }

  #attributes(name: string, attributes: Attributes): void {
    const owner = this.#owner();
    if (owner === undefined) {
      if (attributes['lang'] !== undefined) this.#channel.set('@lang', attributes['lang']);
      return;
    }
    const put = (field: string, value: string | undefined): void => {
      if (value?.trim() && !owner.fields.has(field)) owner.fields.set(field, value);
    };
    if (name === 'atom:feed' || name === 'feed') put('@lang', attributes['lang']);
    // Atom says with `rel` what an address is for: `enclosure` is the file, nothing or `alternate` the page.
    if (name === 'atom:link' || name === 'link') this.#link(owner.fields, attributes, put);
    if (name === 'enclosure' || (name === 'media:content' && mimeOf(attributes['type']) !== null)) enclose(owner.fields, attributes);
    if (name === 'itunes:image') put('itunes:image@href', attributes['href']);
    if (name === 'media:thumbnail') put('media:thumbnail@url', attributes['url']);
    if (name === 'itunes:category' || name === 'atom:category' || name === 'category')
      put('category@', attributes['text'] ?? attributes['term']);
  }

  #link(fields: Fields, attributes: Attributes, put: (field: string, value: string | undefined) => void): void {
    const rel = attributes['rel'] ?? 'alternate';
    if (rel === 'alternate') put('link@alternate', attributes['href']);
    if (rel === 'enclosure') enclose(fields, { ...attributes, url: attributes['href'] ?? '' });
  }

  #take(item: Fields): void {
    const url = addressOf(first(item, 'enclosure@url'), this.url);
    const mime = mimeOf(item.get('enclosure@type'));
    const said = item.get('enclosure@type')?.trim() ?? '';
    // A book or a picture beside the text is nothing to play; no type at all is what careless feeds write of their sound.
    if (url === null || (mime === null && /^(?:image|text|application\/(?:pdf|epub|zip))/i.test(said))) {
      this.#leftOut += 1;
      return;
    }
    const websiteUrl = addressOf(first(item, 'link', 'link@alternate'), this.url);
    this.#drafts.push({
      guid: first(item, 'guid', 'atom:id', 'id')?.trim() ?? '',
      episode: {
        title: lineOf(first(item, 'title', 'atom:title', 'itunes:title')) || fileNameOf(url),
        description: linesOf(
          first(
            item,
            'description',
            'content:encoded',
            'itunes:summary',
            'atom:summary',
            'atom:content',
            'itunes:subtitle',
            'summary',
            'content',
          ),
        ),
        author: lineOf(first(item, 'itunes:author', 'dc:creator', 'author/name', 'author')),
        category: lineOf(first(item, 'category', 'category@', 'itunes:keywords')),
        websiteUrl,
        imageUrl: addressOf(first(item, 'itunes:image@href', 'media:thumbnail@url'), this.url),
        publishedAtMs: timeOf(first(item, 'pubDate', 'atom:published', 'dc:date', 'atom:updated', 'published', 'updated'), this.nowMs),
        durationMs: durationOf(first(item, 'itunes:duration')),
        enclosure: { url, mime, sizeBytes: sizeOf(item.get('enclosure@length')) },
      },
    });
  }
}

/** Of several files the first that is sound, else the first. */
const enclose = (fields: Fields, { url, type, length, filesize }: Attributes): void => {
  const isSound = (text: string | undefined): boolean => mimeOf(text)?.startsWith('audio/') ?? false;
  if (!url?.trim() || (fields.has('enclosure@url') && (isSound(fields.get('enclosure@type')) || !isSound(type)))) return;
  fields.set('enclosure@url', url);
  fields.set('enclosure@type', type ?? '');
  fields.set('enclosure@length', length ?? filesize ?? '');
};

const fileNameOf = (url: string): string => {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return lineOf(decodeURIComponent(last)) || 'Episode';
  } catch {
    // Percent signs that stand for themselves.
    return lineOf(last) || 'Episode';
  }
};

/**
 * Gives each episode its key: the identity that the feed gives it, or the address of its file where the feed gives none or the same one to different files.
 * Duplicates count once.
 */
const identified = (drafts: readonly Drafted[]): FeedEpisode[] => {
  const files = new Map<string, Set<string>>();
  for (const { guid, episode } of drafts) files.set(guid, (files.get(guid) ?? new Set()).add(episode.enclosure.url));
  const found = new Map<string, FeedEpisode>();
  for (const { guid, episode } of drafts) {
    const isOwn = guid !== '' && files.get(guid)?.size === 1;
    const key = keyOf(isOwn ? guid : episode.enclosure.url);
    if (!found.has(key)) found.set(key, { key, ...episode });
  }
  return [...found.values()];
};
