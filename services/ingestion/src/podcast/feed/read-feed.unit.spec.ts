import { describe, expect, it } from 'vitest';
import { atom, item, ITUNES, pieces, rss } from '../../../test/feeds.js';
import { FeedFault, MAX_DESCRIPTION_CHARS, MAX_EPISODES, type Feed, type FeedEpisode } from './feed.js';
import { readFeed } from './read-feed.js';

const NOW = Date.UTC(2026, 5, 1);
const source = { url: 'https://shows.example/garden/feed.xml', nowMs: NOW };
const read = (document: string | Uint8Array, contentType?: string): Promise<Feed> => readFeed(pieces(document), { ...source, contentType });
const only = async (document: string): Promise<FeedEpisode> => {
  const { episodes } = await read(document);
  expect(episodes).toHaveLength(1);
  return episodes[0] as FeedEpisode;
};
const keys = async (document: string): Promise<string[]> => (await read(document)).episodes.map(({ key }) => key);
const enclosure = (attributes: string): string => `<item><title>x</title><guid>x</guid><enclosure ${attributes}/></item>`;

describe('good feeds', () => {
  it('RSS 2 with the namespaces of podcasts', async () => {
    const feed = await read(
      rss(
        `<link>https://shows.example/garden</link><description>All about &lt;b&gt;beds&lt;/b&gt;.</description><language>en-gb</language>
        <copyright>CC BY</copyright><generator>By hand</generator><lastBuildDate>Tue, 03 Mar 2026 10:00:00 +0100</lastBuildDate>
        <itunes:author>Ada</itunes:author><itunes:image href="cover.jpg"/>
        <item><title>Roots</title><guid isPermaLink="false">g-1</guid><link>/garden/1</link><itunes:author>Bob</itunes:author>
        <description><![CDATA[<p>One</p><p>Two &amp; three</p>]]></description><pubDate>Mon, 02 Mar 2026 06:30:00 GMT</pubDate>
        <category>Soil</category><itunes:duration>1:02:03</itunes:duration><itunes:image href="//img.example/1.png"/>
        <enclosure url="https://files.example/1.mp3?a=1&amp;b=2" type="audio/mpeg" length="555"/></item>`,
      ),
    );
    expect(feed).toEqual({
      title: 'Garden Talk',
      description: 'All about beds.',
      language: 'en-gb',
      copyright: 'CC BY',
      generator: 'By hand',
      author: 'Ada',
      websiteUrl: 'https://shows.example/garden',
      imageUrl: 'https://shows.example/garden/cover.jpg',
      builtAtMs: Date.UTC(2026, 2, 3, 9),
      leftOut: 0,
      isCut: false,
      episodes: [
        {
          key: 'g-1',
          title: 'Roots',
          description: 'One\nTwo & three',
          author: 'Bob',
          category: 'Soil',
          websiteUrl: 'https://shows.example/garden/1',
          imageUrl: 'https://img.example/1.png',
          publishedAtMs: Date.UTC(2026, 2, 2, 6, 30),
          durationMs: 3_723_000,
          enclosure: { url: 'https://files.example/1.mp3?a=1&b=2', mime: 'audio/mpeg', sizeBytes: 555 },
        },
      ],
    } satisfies Feed);
  });

  it('Atom', async () => {
    const feed = await read(
      atom(`<subtitle>Beds</subtitle><rights>CC0</rights><updated>2026-01-02T03:04:05Z</updated><link rel="self" href="feed.xml"/><link href="/home"/>
        <author><name>Ada</name></author><entry><id>tag:1</id><title type="html">A &lt;i&gt;title&lt;/i&gt;</title><published>2026-01-01T00:00:00+02:00</published>
        <author><name>Bob</name></author><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Dig <b>deep</b> down</div></content>
        <link rel="alternate" href="/1"/><link rel="enclosure" type="audio/ogg" length="9" href="1.ogg"/></entry>`),
    );
    expect(feed).toMatchObject({ title: 'Garden Talk', description: 'Beds', copyright: 'CC0', language: 'nl', author: 'Ada' });
    expect(feed).toMatchObject({ websiteUrl: 'https://shows.example/home', builtAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(feed.episodes).toEqual([
      expect.objectContaining({
        key: 'tag:1',
        title: 'A title',
        author: 'Bob',
        description: 'Dig deep down',
        websiteUrl: 'https://shows.example/1',
        publishedAtMs: Date.UTC(2025, 11, 31, 22),
        enclosure: { url: 'https://shows.example/garden/1.ogg', mime: 'audio/ogg', sizeBytes: 9 },
      }),
    ]);
  });

  it('Atom behind a prefix', async () => {
    const feed = await read(
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Prefixed</a:title><a:entry><a:id>1</a:id><a:title>One</a:title>
       <a:link rel="enclosure" href="https://f.example/1.mp3"/></a:entry></a:feed>`,
    );
    expect([feed.title, feed.episodes.map(({ title }) => title)]).toEqual(['Prefixed', ['One']]);
  });

  it('RSS 1.0, whose items stand beside the channel', async () => {
    const feed = await read(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
       <channel><title>Old</title><dc:language>de</dc:language></channel>${item('one', '<dc:date>2020-02-02</dc:date>')}</rdf:RDF>`,
    );
    expect(feed).toMatchObject({ title: 'Old', language: 'de', episodes: [{ title: 'one', publishedAtMs: Date.UTC(2020, 1, 2) }] });
  });

  it('other prefixes for known namespaces', async () => {
    const own = 'xmlns:pod="https://www.iTunes.com/dtds/podcast-1.0.dtd"';
    expect(await only(rss(item('one', '<pod:duration>90</pod:duration>'), own))).toMatchObject({ durationMs: 90_000 });
  });

  it('known prefixes that nobody declared', async () => {
    const feed = await read(rss(item('one', '<itunes:duration>90</itunes:duration>'), ''));
    expect(feed.episodes[0]).toMatchObject({ durationMs: 90_000 });
  });

  it('a known prefix for another namespace is something else', async () => {
    expect(await only(rss(item('one', '<itunes:duration>90</itunes:duration>'), 'xmlns:itunes="http://other.example/"'))).toMatchObject({
      durationMs: null,
    });
  });

  it('a public document type without declarations', async () => {
    const dated = `<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://feeds.example/rss-0.91.dtd"><rss><channel><title>T</title></channel></rss>`;
    expect((await read(dated)).title).toBe('T');
  });

  it('without episodes', async () => {
    expect(await read(rss(''))).toMatchObject({ title: 'Garden Talk', episodes: [] });
  });

  it('the title of an item is not that of a channel without one', async () => {
    const feed = await read(`<rss><channel>${item('one')}<image><title>Picture</title><url>p.png</url></image></channel></rss>`);
    expect(feed).toMatchObject({ title: '', imageUrl: 'https://shows.example/garden/p.png', episodes: [{ title: 'one' }] });
  });

  it('several files of one item: the first sound', async () => {
    const files = `<enclosure url="v.mp4" type="video/mp4"/><enclosure url="a.mp3" type="audio/mpeg"/><enclosure url="b.mp3" type="audio/mpeg"/>`;
    expect((await only(rss(`<item><title>x</title>${files}</item>`))).enclosure.url).toBe('https://shows.example/garden/a.mp3');
  });

  it('files in the words of Media RSS', async () => {
    const media = `<item><title>x</title><media:content url="m.mp3" type="audio/mpeg" fileSize="7"/></item>`;
    expect((await only(rss(media, 'xmlns:media="http://search.yahoo.com/mrss/"'))).enclosure).toEqual({
      url: 'https://shows.example/garden/m.mp3',
      mime: 'audio/mpeg',
      sizeBytes: 7,
    });
  });
});

describe('character sets', () => {
  const text = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?><rss><channel><title>Grüße</title></channel></rss>`;
  it.each([
    ['its declaration', Buffer.from(text('ISO-8859-1'), 'latin1'), undefined],
    ['the header', Buffer.from(text('x').replace(/<\?.*\?>/, ''), 'latin1'), 'text/xml; charset="iso-8859-1"'],
    ['its declaration before the header', Buffer.from(text('utf-8')), 'text/xml; charset=iso-8859-1'],
    ['a mark of UTF-16', Buffer.from(`\ufeff${text('utf-16')}`, 'utf16le'), undefined],
    ['UTF-16 without a mark', Buffer.from(text('utf-16'), 'utf16le'), undefined],
    ['a mark of UTF-8', Buffer.from(`\ufeff${text('utf-8')}`), undefined],
    ['UTF-8 that says it was UTF-16', Buffer.from(text('utf-16')), undefined],
    ['a set that nobody knows', Buffer.from(text('klingon')), 'text/xml; charset=romulan'],
  ])('by %s', async (_by, bytes, type) => {
    expect((await read(bytes, type)).title).toBe('Grüße');
  });

  it('a character that two pieces share', async () => {
    expect((await readFeed(pieces(rss('<description>ä€𝄞</description>'), 1), source)).description).toBe('ä€𝄞');
  });
});

describe('broken feeds that are read all the same', () => {
  it.each([
    ['a bare ampersand', rss(item('one').replace('<title>one', '<title>Salt & pepper')), 'Salt & pepper'],
    ['names of HTML', rss(item('one').replace('<title>one', '<title>Caf&eacute;&nbsp;&mdash; bar')), 'Café — bar'],
    ['twice escaped', rss(item('one').replace('<title>one', '<title>Salt &amp;amp; pepper')), 'Salt & pepper'],
    [
      'HTML in a title',
      rss(item('one').replace('<title>one', '<title><![CDATA[<b onclick="x()">Bold</b><script>x()</script> 3 < 4]]>')),
      'Bold 3 < 4',
    ],
    ['HTML that nobody escaped', rss(item('one').replace('<title>one', '<title>Very <b>bold</b> words')), 'Very bold words'],
    ['control characters', rss(item('one').replace('<title>one', '<title>o\u0001n\u0000e\u202e')), 'one'],
    ['lines in a title', rss(item('one').replace('<title>one', '<title>\n  Two\n\t words ')), 'Two words'],
    ['no title', rss(item('a%20tale').replace('<title>a%20tale</title>', '')), 'a tale.mp3'],
    ['blank lines first', `\n\n  ${rss(item('one'))}`, 'one'],
    ['a notice of the server first', rss(item('one')).replace('<?xml', 'Warning: something\n<?xml'), 'one'],
    ['cut off within an item', `${rss(item('one')).replace('</channel></rss>', '')}<item><title>tw`, 'one'],
    ['an end that fits nothing', rss(`</b>${item('one')}</i>`), 'one'],
    ['attributes without quotes', rss(item('one')).replace('length="1234"', 'length=1234'), 'one'],
  ])('%s', async (_what, document, title) => {
    expect((await only(document)).title).toBe(title);
  });
});

it('queries keep names that HTML knows', async () => {
  const url = 'https://files.example/a.mp3?a=1&copy=2&amp=3';
  expect((await only(rss(`<item><enclosure url="${url.replaceAll('&', '&amp;')}"/></item>`))).enclosure.url).toBe(url);
});

describe('identities', () => {
  it('the address of the file where none is given', async () => {
    expect(await keys(rss(item('one', '') + item('two', '<guid> </guid>')))).toEqual([
      'https://files.example/one.mp3',
      'https://files.example/two.mp3',
    ]);
  });
  it('the address of the file where different files have the same', async () => {
    expect(await keys(rss(item('one', '<guid>g</guid>') + item('two', '<guid>g</guid>') + item('three')))).toEqual([
      'https://files.example/one.mp3',
      'https://files.example/two.mp3',
      'three',
    ]);
  });
  it('the same item twice is one', async () => {
    expect(await keys(rss(item('one') + item('one')))).toEqual(['one']);
  });
  it('a very long one is kept by its digest', async () => {
    const [key] = await keys(rss(item('one', `<guid>${'g'.repeat(5000)}</guid>`)));
    expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('files', () => {
  it.each([
    ['no item has one', '<item><title>x</title></item>'],
    ['a book', enclosure('url="a.pdf" type="application/pdf"')],
    ['a picture', enclosure('url="a.png" type="image/png"')],
    ['another protocol', enclosure('url="ftp://files.example/a.mp3" type="audio/mpeg"')],
    ['a file of this machine', enclosure('url="file:///etc/passwd" type="audio/mpeg"')],
    ['a script', enclosure('url="javascript:alert(1)" type="audio/mpeg"')],
    ['a password in the address', enclosure('url="https://ada:secret@files.example/a.mp3" type="audio/mpeg"')],
    ['an endless address', enclosure(`url="https://files.example/${'a'.repeat(3000)}" type="audio/mpeg"`)],
    ['no address', enclosure('url="  " type="audio/mpeg"')],
  ])('left out: %s', async (_what, body) => {
    expect(await read(rss(body))).toMatchObject({ episodes: [], leftOut: 1 });
  });

  it.each([
    ['url="a.mp3" length="0"', { mime: null, sizeBytes: null }],
    ['url="a.mp3"', { mime: null, sizeBytes: null }],
    ['url="a.mp3" type="" length=""', { mime: null, sizeBytes: null }],
    ['url="a.mp3" type="Audio/MPEG; x=y" length="-5"', { mime: 'audio/mpeg', sizeBytes: null }],
    ['url="a.mp3" type="application/octet-stream" length="many"', { mime: null, sizeBytes: null }],
    ['url="a.mp3#t=10" type="audio/mpeg" length="1e99"', { mime: 'audio/mpeg', sizeBytes: null }],
  ])('kept: %s', async (attributes, expected) => {
    expect((await only(rss(enclosure(attributes)))).enclosure).toEqual({ url: 'https://shows.example/garden/a.mp3', ...expected });
  });
});

describe('limits', () => {
  const refusal = async (document: string): Promise<string> => {
    try {
      await read(document);
      return 'read';
    } catch (error) {
      if (error instanceof FeedFault) return error.reason;
      throw error;
    }
  };
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>${rss('<description>&b;</description>').slice(39)}`;
  it.each([
    ['declared entities', bomb, 'document-type'],
    [
      'entities from elsewhere',
      `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>&x;</title></channel></rss>`,
      'document-type',
    ],
    ['a page', '<!doctype html><html><head><title>Not here</title></head></html>', 'not-a-feed'],
    ['other XML', '<opml><body/></opml>', 'not-a-feed'],
    ['JSON', '{"version":"https://jsonfeed.org/version/1"}', 'malformed'],
    ['nothing', '', 'malformed'],
    ['words', 'gone', 'malformed'],
    ['an empty feed', '<rss><channel></channel></rss>', 'empty'],
    ['depth', `<rss>${'<a>'.repeat(5000)}`, 'too-deep'],
    ['a title that never ends', `<rss><channel><title>${'& '.repeat(30_000)}`, 'empty'],
  ])('refused: %s', async (_what, document, reason) => {
    expect(await refusal(document)).toBe(reason);
  });

  it('an endless feed is left when it is full', async () => {
    let sent = 0;
    let left = false;
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield Buffer.from(rss('').replace('</channel></rss>', ''));
        for (;;) yield Buffer.from(item(String((sent += 1))));
      } finally {
        left = true;
      }
    }
    const feed = await readFeed(endless(), source);
    expect([feed.episodes.length, feed.isCut, left, sent < MAX_EPISODES + 50]).toEqual([MAX_EPISODES, true, true, true]);
  });

  it('texts are cut', async () => {
    const long = 'word '.repeat(40_000);
    const episode = await only(rss(item('one', `<description>${long}</description>`).replace('<title>one', `<title>${long}`)));
    expect([episode.title.length, episode.description.length]).toEqual([500, MAX_DESCRIPTION_CHARS]);
  });

  it('a huge description does not stay', async () => {
    const feed = await read(rss(`<description>${'x'.repeat(5_000_000)}</description>${item('one')}`, ITUNES));
    expect([feed.description.length, feed.episodes.length]).toEqual([MAX_DESCRIPTION_CHARS, 1]);
  });
});
