import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Where the servers of a corpus are to be reached. */
export interface CorpusAddresses {
  /** An address on the server that stands for the internet. */
  readonly outside: (path: string) => string;
  /** One on the server that stands for this machine and its network. */
  readonly inside: (path: string) => string;
}

/** A feed that is refused. */
export interface BadFeed {
  readonly what: string;
  /** Response of the outside server; absent where it is never asked. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse, addresses: CorpusAddresses) => void;
  /** Subscribed address, where that is not an outside one. */
  readonly url?: (addresses: CorpusAddresses) => string;
  /** Message of the refusal. */
  readonly reason: RegExp;
  /** Time for the visit, ms; long enough for any machine when absent. */
  readonly timeoutMs?: number;
}

const says =
  (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'application/rss+xml' }): BadFeed['answer'] =>
  (_, response) =>
    void response.writeHead(200, headers).end(body);
const status =
  (code: number): BadFeed['answer'] =>
  (_, response) =>
    void response.writeHead(code).end('no');
const redirect =
  (to: (addresses: CorpusAddresses) => string, code = 302): BadFeed['answer'] =>
  (_, response, addresses) =>
    void response.writeHead(code, { location: to(addresses) }).end();
/** Writes something again and again for as long as somebody reads. */
const forever =
  (first: string, again: string): BadFeed['answer'] =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.write(first);
    const more = (): void => {
      while (!response.destroyed && response.write(again));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

const laughs = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}]><rss><channel><title>&a8;</title></channel></rss>`;
const doctype = (inside: string): string => `<!DOCTYPE rss [${inside}]><rss><channel><title>&x;</title></channel></rss>`;
const REFUSED = /does not lead to a public address/;

const hostile: readonly BadFeed[] = [
  { what: 'entities that unfold a billion times', answer: says(laughs), reason: /declares entities/ },
  { what: 'one long entity used often', answer: says(doctype(`<!ENTITY x "${'y'.repeat(50_000)}">`)), reason: /declares entities/ },
  { what: 'an entity from a file', answer: says(doctype('<!ENTITY x SYSTEM "file:///etc/passwd">')), reason: /declares entities/ },
  { what: 'parameter entities', answer: says(doctype('<!ENTITY % x "y"> %x;')), reason: /declares entities/ },
  {
    what: 'an entity from the house',
    answer: (_, response, { inside }) => void response.end(doctype(`<!ENTITY x SYSTEM "${inside('/entity')}">`)),
    reason: /declares entities/,
  },
  { what: 'elements within elements without end', answer: forever('<rss><channel>', '<a>'.repeat(1000)), reason: /nest|deep/i },
  {
    what: 'a title without end',
    answer: forever('<rss><channel><title>', 'very long words '.repeat(500)),
    reason: /larger|bytes|too large/i,
  },
  { what: 'spaces without end', answer: forever('', ' '.repeat(8000)), reason: /larger|bytes|no feed|XML/i },
  { what: 'a comment without end', answer: forever('<rss><!-- ', 'x'.repeat(8000)), reason: /larger|bytes/i },
  { what: 'one attribute without end', answer: forever('<rss><channel><item a="', 'x'.repeat(8000)), reason: /larger|bytes/i },
  {
    what: 'a little that is packed and swells',
    answer: says(gzipSync(`<rss><channel><title>${' '.repeat(30_000_000)}`), { 'content-encoding': 'gzip' }),
    reason: /larger|bytes/i,
  },
  {
    what: 'the same, packed otherwise',
    answer: says(brotliCompressSync(`<rss><channel><title>${' '.repeat(30_000_000)}`), { 'content-encoding': 'br' }),
    reason: /larger|bytes/i,
  },
  { what: 'packed as nobody knows', answer: says('x', { 'content-encoding': 'compress' }), reason: /packed/ },
  { what: 'said to be packed, and is not', answer: says('<rss/>', { 'content-encoding': 'gzip' }), reason: /damaged|packed/ },
  {
    what: 'a head without end',
    answer: (_, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(60_000) }).end(),
    reason: /head/,
  },
  {
    what: 'a drop a second',
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' }).write('<rss>');
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
    reason: /within \d+ ms/,
    timeoutMs: 500,
  },
  { what: 'silence', answer: () => undefined, reason: /within \d+ ms/, timeoutMs: 500 },
];

const inward: readonly BadFeed[] = [
  { what: 'an address of this machine', url: ({ inside }) => inside('/feed'), reason: REFUSED },
  { what: 'its name', url: ({ inside }) => inside('/feed').replace('127.0.0.1', 'localhost'), reason: REFUSED },
  { what: 'its address as one number', url: ({ inside }) => inside('/feed').replace('127.0.0.1', '2130706433'), reason: REFUSED },
  { what: 'its address in octal', url: ({ inside }) => inside('/feed').replace('127.0.0.1', '0177.0.0.1'), reason: REFUSED },
  { what: 'its address of version 6', url: () => 'http://[::1]/feed', reason: REFUSED },
  {
    what: 'its address in one of version 6',
    url: ({ inside }) => inside('/feed').replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    reason: REFUSED,
  },
  { what: 'a private network', url: () => 'http://10.0.0.1/feed', reason: REFUSED },
  { what: 'the metadata of a cloud', url: () => 'http://169.254.169.254/latest/meta-data/', reason: REFUSED },
  { what: 'a redirect to this machine', answer: redirect(({ inside }) => inside('/feed')), reason: REFUSED },
  { what: 'one for good', answer: redirect(({ inside }) => inside('/feed'), 301), reason: REFUSED },
  {
    what: 'a redirect to this machine behind others',
    answer: ({ url }, response, { outside, inside }) =>
      void response
        .writeHead(307, { location: url?.endsWith('/3') ? inside('/feed') : outside(`${url}/${(url ?? '').split('/').length - 1}`) })
        .end(),
    reason: REFUSED,
  },
  { what: 'a redirect to a file', answer: redirect(() => 'file:///etc/passwd'), reason: /http or https/ },
  {
    what: 'a redirect in a circle',
    answer: ({ url }, response) => void response.writeHead(302, { location: url ?? '' }).end(),
    reason: /redirects/,
  },
  {
    what: 'redirects without end',
    answer: ({ url }, response) => void response.writeHead(302, { location: `${url}0` }).end(),
    reason: /redirects/,
  },
  { what: 'a port of the mail', url: () => 'http://mail.example:25/feed', reason: /port/ },
  { what: 'a name that there is not', url: () => 'http://no-such-show.invalid/feed', reason: /no address/ },
];

const others: readonly BadFeed[] = [
  {
    what: 'a page',
    answer: says('<!doctype html><html><head><title>Sign in</title></head><body></body></html>', { 'content-type': 'text/html' }),
    reason: /neither RSS nor Atom/,
  },
  {
    what: 'a list of feeds',
    answer: says('<opml version="2.0"><body><outline xmlUrl="https://a.example"/></body></opml>'),
    reason: /neither RSS nor Atom/,
  },
  {
    what: 'a map of a site',
    answer: says('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>'),
    reason: /neither RSS nor Atom/,
  },
  {
    what: 'JSON',
    answer: says('{"version":"https://jsonfeed.org/version/1.1","items":[]}', { 'content-type': 'application/feed+json' }),
    reason: /no XML/,
  },
  { what: 'sound', answer: says(Buffer.from('49443304000000000000fffb9064', 'hex'), { 'content-type': 'audio/mpeg' }), reason: /no XML/ },
  { what: 'nothing', answer: says(''), reason: /no XML/ },
  { what: 'a feed of nothing', answer: says('<rss version="2.0"><channel></channel></rss>'), reason: /neither a title/ },
  { what: 'a show that is gone', answer: status(410), reason: /410/ },
  { what: 'one that is not there', answer: status(404), reason: /404/ },
  { what: 'one that wants a password', answer: status(401), reason: /401/ },
  { what: 'one for others', answer: status(403), reason: /403/ },
  { what: 'a server in trouble', answer: status(500), reason: /500/ },
  { what: 'a server at work on itself', answer: status(503), reason: /503/ },
  { what: 'no content', answer: (_, response) => void response.writeHead(204).end(), reason: /204/ },
];

/** Feeds that are refused, each with the reason. */
export const badFeeds: readonly BadFeed[] = [...hostile, ...inward, ...others];
