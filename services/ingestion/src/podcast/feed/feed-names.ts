/** Namespaces that feeds use, without scheme, `www.` and what ends them, and the prefix by which this reader calls them. */
const PREFIXES: Readonly<Record<string, string>> = {
  'w3.org/2005/atom': 'atom',
  'purl.org/atom/ns': 'atom',
  'itunes.com/dtds/podcast-1.0.dtd': 'itunes',
  'podcastindex.org/namespace/1.0': 'podcast',
  'github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md': 'podcast',
  'purl.org/rss/1.0/modules/content': 'content',
  'purl.org/dc/elements/1.1': 'dc',
  'search.yahoo.com/mrss': 'media',
  'w3.org/1999/02/22-rdf-syntax-ns': 'rdf',
  'purl.org/rss/1.0': '',
  'backend.userland.com/rss2': '',
};
const KNOWN = new Set(Object.values(PREFIXES));

const bare = (uri: string): string =>
  uri
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[/#]{1,4}$/, '');

type Scope = Readonly<Record<string, string>>;

/** Knows what the prefixes of a document mean where it is read. */
export class NamespaceScopes {
  /** Of each open element; the same object where nothing is declared. */
  readonly #scopes: Scope[] = [];

  /**
   * An element begins: answers what this reader calls it, its local name behind the usual prefix of its namespace whatever the document calls that. Feeds that use a
   * usual prefix without declaring it are understood; elements of unknown namespaces get a prefix that nothing looks for.
   */
  open(name: string, attributes: Readonly<Record<string, string>>): string {
    const outer = this.#scopes.at(-1) ?? {};
    const declared = Object.entries(attributes).filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
    const scope =
      declared.length === 0 ? outer : { ...outer, ...Object.fromEntries(declared.map(([key, uri]) => [`${key.slice(6)}:`, uri])) };
    this.#scopes.push(scope);
    const colon = name.indexOf(':');
    const prefix = name.slice(0, Math.max(colon, 0));
    return named(prefix, name.slice(colon + 1), scope[`${prefix}:`]);
  }

  /** The element that began last ends. */
  close(): void {
    this.#scopes.pop();
  }
}

const named = (prefix: string, local: string, uri: string | undefined): string => {
  const known = uri === undefined ? (KNOWN.has(prefix) ? prefix : undefined) : PREFIXES[bare(uri)];
  if (known !== undefined) return known === '' ? local : `${known}:${local}`;
  // RSS has no namespace; one that somebody made up for it changes nothing.
  return prefix === '' ? local : `?:${local}`;
};
