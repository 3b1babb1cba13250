/** Feeds as publishers of many kinds write them, each with what is to come of it. All of it is made up; the manners are those of real generators. */

/** Expected import of a feed. */
export interface ImportedFeed {
  readonly title: string;
  /** Keys of the episodes, in the order of the feed. */
  readonly keys: readonly string[];
  /** Expected fields of the first one; absent fields are not compared. */
  readonly first?: {
    readonly title?: string;
    readonly mediaUrl?: string;
    readonly mime?: string | null;
    readonly durationMs?: number | null;
    readonly publishedAtMs?: number | null;
    readonly description?: string;
    readonly author?: string;
    readonly imageUrl?: string | null;
  };
  readonly author?: string;
  readonly language?: string;
  readonly imageUrl?: string | null;
}

/** A feed, and what is imported of it. */
export interface GoodFeed {
  readonly what: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly imported: ImportedFeed;
}

const ITUNES = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';
const MEDIA = 'xmlns:media="http://search.yahoo.com/mrss/"';
const PODCAST = 'xmlns:podcast="https://podcastindex.org/namespace/1.0"';
const CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"';
const DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
const ATOM_LINK = 'xmlns:atom="http://www.w3.org/2005/Atom"';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const channel = (attributes: string, inside: string): string =>
  `${XML}\n<rss version="2.0" ${attributes}><channel>${inside}</channel></rss>`;
const march = (day: number, hour = 6): number => Date.UTC(2026, 2, day, hour);
const CDN = 'https://cdn.example';

const hosted: readonly GoodFeed[] = [
  {
    what: 'a large host, with everything that iTunes asks for',
    body: channel(
      `${ITUNES} ${ATOM_LINK} ${CONTENT}`,
      `<atom:link href="https://feeds.example/harbour" rel="self" type="application/rss+xml"/><title>Harbour Lights</title><link>https://harbour.example</link>
      <language>en-us</language><copyright>© Harbour</copyright><description><![CDATA[<p>Tales of the quay.</p>]]></description>
      <image><url>${CDN}/harbour.jpg</url><title>Harbour Lights</title><link>https://harbour.example</link></image>
      <itunes:author>Nell Quay</itunes:author><itunes:type>episodic</itunes:type><itunes:owner><itunes:name>Nell</itunes:name><itunes:email>nell@harbour.example</itunes:email></itunes:owner>
      <itunes:image href="${CDN}/harbour-3000.jpg"/><itunes:category text="Society &amp; Culture"><itunes:category text="Documentary"/></itunes:category><itunes:explicit>false</itunes:explicit>
      <item><title>Fog</title><itunes:title>Fog</itunes:title><pubDate>Wed, 04 Mar 2026 06:00:00 -0000</pubDate><itunes:episode>2</itunes:episode><itunes:season>1</itunes:season>
      <itunes:summary>Short</itunes:summary><description>Long words</description><content:encoded><![CDATA[<h1>Fog</h1><p>Long words</p>]]></content:encoded>
      <itunes:duration>1805</itunes:duration><guid isPermaLink="false">a1b2-fog</guid><enclosure url="${CDN}/fog.mp3?updated=1" length="28880000" type="audio/mpeg"/></item>
      <item><title>Ropes</title><itunes:episodeType>trailer</itunes:episodeType><pubDate>Tue, 03 Mar 2026 06:00:00 -0000</pubDate><guid isPermaLink="false">a1b2-ropes</guid>
      <enclosure url="${CDN}/ropes.mp3" length="100" type="audio/mpeg"/></item>`,
    ),
    imported: {
      title: 'Harbour Lights',
      language: 'en-us',
      author: 'Nell Quay',
      imageUrl: `${CDN}/harbour-3000.jpg`,
      keys: ['a1b2-fog', 'a1b2-ropes'],
      first: { title: 'Fog', mediaUrl: `${CDN}/fog.mp3?updated=1`, mime: 'audio/mpeg', durationMs: 1_805_000, publishedAtMs: march(4) },
    },
  },
  {
    what: 'a host that counts listeners in front of the file',
    body: channel(
      ITUNES,
      `<title>Counted</title><item><title>One</title><guid>c-1</guid><itunes:duration>00:31:07</itunes:duration>
      <enclosure url="https://count.example/redirect/1/https/cdn.example/one.mp3?aid=rss&amp;feed=2" length="0" type="audio/mpeg"/></item>`,
    ),
    imported: {
      title: 'Counted',
      keys: ['c-1'],
      first: { mediaUrl: 'https://count.example/redirect/1/https/cdn.example/one.mp3?aid=rss&feed=2', durationMs: 1_867_000 },
    },
  },
  {
    what: 'a blog with a plug-in',
    body: channel(
      `${ITUNES} ${CONTENT} ${DC} xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"`,
      `<title>Kitchen &#8211; Table</title><generator>https://press.example/?v=6.4</generator><language>en-GB</language>
      <item><title>Salt &#038; Pepper</title><link>https://kitchen.example/salt/</link><comments>https://kitchen.example/salt/#comments</comments><dc:creator><![CDATA[Ivo]]></dc:creator>
      <pubDate>Thu, 05 Mar 2026 06:00:00 +0000</pubDate><category><![CDATA[Food]]></category><category><![CDATA[Talk]]></category><guid isPermaLink="false">https://kitchen.example/?p=12</guid>
      <description><![CDATA[Two kinds of salt. <a href="https://kitchen.example/salt/">Read&nbsp;more</a>]]></description><wfw:commentRss>https://kitchen.example/salt/feed/</wfw:commentRss><slash:comments>3</slash:comments>
      <enclosure url="https://kitchen.example/media/salt.m4a" length="512" type="audio/x-m4a" /></item>
      <item><title>Only words</title><guid>https://kitchen.example/?p=11</guid><description>No sound here</description></item>`,
    ),
    imported: {
      title: 'Kitchen – Table',
      keys: ['https://kitchen.example/?p=12'],
      first: { title: 'Salt & Pepper', mime: 'audio/x-m4a', author: 'Ivo', publishedAtMs: march(5) },
    },
  },
  {
    what: 'the tags of the podcast namespace',
    body: channel(
      `${ITUNES} ${PODCAST}`,
      `<title>New Words</title><podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid><podcast:locked owner="a@new.example">yes</podcast:locked><podcast:medium>podcast</podcast:medium>
      <podcast:funding url="https://new.example/give">Give</podcast:funding><podcast:person role="host">Uma</podcast:person><podcast:value type="lightning" method="keysend"><podcast:valueRecipient name="Uma" type="node" address="02" split="100"/></podcast:value>
      <item><title>Chaptered</title><guid>n-1</guid><podcast:transcript url="https://new.example/1.vtt" type="text/vtt"/><podcast:chapters url="https://new.example/1.json" type="application/json+chapters"/>
      <podcast:season>2</podcast:season><podcast:episode>7</podcast:episode><podcast:alternateEnclosure type="audio/opus" length="9"><podcast:source uri="https://new.example/1.opus"/></podcast:alternateEnclosure>
      <enclosure url="https://new.example/1.mp3" type="audio/mpeg" length="99"/></item>`,
    ),
    imported: { title: 'New Words', keys: ['n-1'], first: { mediaUrl: 'https://new.example/1.mp3' } },
  },
  {
    what: 'Media RSS alone',
    body: channel(
      MEDIA,
      `<title>Pictures</title><item><title>Reel</title><guid>m-1</guid><media:content url="https://pics.example/reel.mp4" type="video/mp4" fileSize="77" duration="120" medium="video"/>
      <media:thumbnail url="https://pics.example/reel.jpg"/><media:description>Moving</media:description></item>`,
    ),
    imported: { title: 'Pictures', keys: ['m-1'], first: { mediaUrl: 'https://pics.example/reel.mp4', mime: 'video/mp4' } },
  },
  {
    what: 'the public broadcaster, with the length in seconds and no type',
    body: channel(
      ITUNES,
      `<title>The World at Seven</title><ttl>60</ttl><item><title>Morning</title><guid>urn:bb:p01</guid><pubDate>Fri, 6 Mar 2026 07:00:00 +0100</pubDate><itunes:duration>3599.5</itunes:duration>
      <enclosure url="http://open.example/mediaselector/p01.mp3" length="57600000"/></item>`,
    ),
    imported: { title: 'The World at Seven', keys: ['urn:bb:p01'], first: { publishedAtMs: march(6), mime: null } },
  },
  {
    what: 'keys that are addresses of pages',
    body: channel(
      '',
      '<title>Permalinks</title><item><title>A</title><guid isPermaLink="true">https://perma.example/a</guid><enclosure url="https://perma.example/a.ogg" type="audio/ogg" length="1"/></item>',
    ),
    imported: { title: 'Permalinks', keys: ['https://perma.example/a'], first: { mime: 'audio/ogg' } },
  },
  {
    what: 'no keys at all',
    body: channel(
      '',
      '<title>Nameless</title><item><title>A</title><enclosure url="https://less.example/a.mp3" type="audio/mpeg" length="1"/></item><item><title>B</title><enclosure url="https://less.example/b.mp3" type="audio/mpeg" length="1"/></item>',
    ),
    imported: { title: 'Nameless', keys: ['https://less.example/a.mp3', 'https://less.example/b.mp3'] },
  },
];

const dialects: readonly GoodFeed[] = [
  {
    what: 'Atom 1.0',
    body: `${XML}<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:uuid:60a7</id><title>Atomic</title><updated>2026-03-07T06:00:00Z</updated><author><name>Per</name></author>
      <entry><id>urn:uuid:1</id><title>First</title><published>2026-03-07T06:00:00Z</published><updated>2026-03-08T06:00:00Z</updated><summary>Words</summary>
      <link rel="enclosure" type="audio/mpeg" length="10" href="https://atom.example/1.mp3"/><link rel="alternate" href="https://atom.example/1"/></entry></feed>`,
    imported: {
      title: 'Atomic',
      author: 'Per',
      keys: ['urn:uuid:1'],
      first: { publishedAtMs: march(7), mediaUrl: 'https://atom.example/1.mp3' },
    },
  },
  {
    what: 'Atom of an aggregator, behind a prefix, with iTunes in it',
    body: `${XML}<a:feed xmlns:a="http://www.w3.org/2005/Atom" ${ITUNES}><a:title type="text">Prefixed</a:title><itunes:image href="${CDN}/p.png"/>
      <a:entry><a:id>p1</a:id><a:title>One</a:title><itunes:duration>61</itunes:duration><a:link rel="enclosure" href="https://atom.example/p1.m4a" type="audio/mp4"/></a:entry></a:feed>`,
    imported: { title: 'Prefixed', keys: ['p1'], first: { mime: 'audio/mp4', durationMs: 61_000 } },
  },
  {
    what: 'RSS 0.92',
    body: '<rss version="0.92"><channel><title>Old</title><link>https://old.example</link><description>d</description><item><description>No title, as in those days</description><enclosure url="https://old.example/1.mp3" length="3" type="audio/mpeg"/></item></channel></rss>',
    imported: { title: 'Old', keys: ['https://old.example/1.mp3'] },
  },
  {
    what: 'RSS 1.0 with items beside the channel',
    body: `${XML}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#" ${DC}>
      <channel rdf:about="https://rdf.example"><title>Resource</title><link>https://rdf.example</link><description>d</description></channel>
      <item rdf:about="https://rdf.example/1"><title>One</title><dc:date>2026-03-09T06:00:00Z</dc:date><enclosure url="https://rdf.example/1.mp3" type="audio/mpeg" length="1"/></item></rdf:RDF>`,
    imported: { title: 'Resource', keys: ['https://rdf.example/1.mp3'] },
  },
  {
    what: 'the public document type of RSS 0.91, which declares nothing',
    body: '<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.example/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><title>Typed</title><item><title>1</title><guid>t</guid><enclosure url="https://typed.example/1.mp3" type="audio/mpeg" length="1"/></item></channel></rss>',
    imported: { title: 'Typed', keys: ['t'] },
  },
  {
    what: 'a serial, oldest first, with seasons and no dates',
    body: channel(
      ITUNES,
      `<title>Serial</title><itunes:type>serial</itunes:type>${[1, 2, 3].map((n) => `<item><title>Part ${n}</title><guid>s${n}</guid><itunes:episode>${n}</itunes:episode><enclosure url="https://serial.example/${n}.mp3" type="audio/mpeg" length="1"/></item>`).join('')}`,
    ),
    imported: { title: 'Serial', keys: ['s1', 's2', 's3'], first: { publishedAtMs: null, durationMs: null } },
  },
  {
    what: 'a show that has not begun',
    body: channel(ITUNES, '<title>Soon</title><description>Coming in spring</description>'),
    imported: { title: 'Soon', keys: [] },
  },
];

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

const careless: readonly GoodFeed[] = [
  {
    what: 'bare ampersands and names of HTML',
    body: channel(
      '',
      '<title>Bed & Breakfast &mdash; caf&eacute;</title><item><title>Q&A</title><guid>q</guid><enclosure url="https://bb.example/q.mp3?a=1&b=2" type="audio/mpeg" length="1"/></item>',
    ),
    imported: { title: 'Bed & Breakfast — café', keys: ['q'], first: { title: 'Q&A', mediaUrl: 'https://bb.example/q.mp3?a=1&b=2' } },
  },
  {
    what: 'ISO 8859-1, as its declaration says',
    body: latin(
      '<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><title>Sm\xf8rrebr\xf8d</title><item><title>\xc6ble</title><guid>l</guid><enclosure url="https://dk.example/1.mp3" type="audio/mpeg"/></item></channel></rss>',
    ),
    imported: { title: 'Smørrebrød', keys: ['l'], first: { title: 'Æble' } },
  },
  {
    what: 'Windows-1252, as the header says, while nothing is declared',
    body: Buffer.from(
      '<rss><channel><title>Don\x92t</title><item><title>x</title><guid>w</guid><enclosure url="https://win.example/1.mp3" type="audio/mpeg"/></item></channel></rss>',
      'latin1',
    ),
    headers: { 'content-type': 'application/rss+xml; charset=windows-1252' },
    imported: { title: 'Don’t', keys: ['w'] },
  },
  {
    what: 'UTF-16 with a mark',
    body: Buffer.from(
      `\ufeff<?xml version="1.0" encoding="utf-16"?><rss><channel><title>Große Worte</title><item><title>x</title><guid>u</guid><enclosure url="https://u.example/1.mp3" type="audio/mpeg"/></item></channel></rss>`,
      'utf16le',
    ),
    imported: { title: 'Große Worte', keys: ['u'] },
  },
  {
    what: 'blank lines and a warning of the server in front',
    body: `\n\n<br />\n<b>Warning</b>: something on line 7<br />\n${channel('', '<title>Warned</title><item><title>x</title><guid>g</guid><enclosure url="https://warned.example/1.mp3" type="audio/mpeg"/></item>')}`,
    imported: { title: 'Warned', keys: ['g'] },
  },
  {
    what: 'cut off in its second item',
    body: channel(
      '',
      '<title>Cut</title><item><title>a</title><guid>a</guid><enclosure url="https://cut.example/a.mp3" type="audio/mpeg"/></item><item><title>b</title><guid>b</guid><enclosure url="https://cut',
    ).replace(/<\/channel>.*$/s, ''),
    imported: { title: 'Cut', keys: ['a'] },
  },
  {
    what: 'elements that end twice, and never',
    body: channel(
      '',
      '<title>Knots</title></b><item><title>a</i></title><description><p>open</description><guid>a</guid><enclosure url="https://knots.example/a.mp3" type="audio/mpeg"></enclosure></enclosure></item></item>',
    ),
    imported: { title: 'Knots', keys: ['a'] },
  },
  {
    what: 'the same item twice, and the same key for two files',
    body: channel(
      '',
      `<title>Twins</title>${['a', 'a', 'b'].map((name) => `<item><title>${name}</title><guid>same</guid><enclosure url="https://twins.example/${name}.mp3" type="audio/mpeg"/></item>`).join('')}`,
    ),
    imported: { title: 'Twins', keys: ['https://twins.example/a.mp3', 'https://twins.example/b.mp3'] },
  },
  {
    what: 'dates in all manners',
    body: channel(
      '',
      '<title>Dates</title><item><title>a</title><guid>a</guid><pubDate>Someday, 4 Mar 26 06:00 GMT</pubDate><enclosure url="https://dates.example/a.mp3" type="audio/mpeg"/></item>',
    ),
    imported: { title: 'Dates', keys: ['a'] },
  },
  {
    what: 'control characters and turned writing',
    body: channel(
      '',
      '<title>Sne\u0001aky\u202e</title><item><title>x\u0000y</title><guid>g</guid><enclosure url="https://ctl.example/1.mp3" type="audio/mpeg"/></item>',
    ),
    imported: { title: 'Sneaky', keys: ['g'], first: { title: 'xy' } },
  },
  {
    what: 'sent as a page, which it is not',
    body: channel(
      '',
      '<title>Mislabelled</title><item><title>x</title><guid>g</guid><enclosure url="https://mis.example/1.mp3" type="audio/mpeg"/></item>',
    ),
    headers: { 'content-type': 'text/html' },
    imported: { title: 'Mislabelled', keys: ['g'] },
  },
  {
    what: 'files that may not be fetched beside one that may',
    body: channel(
      '',
      `<title>Mixed</title>${[
        'ftp://mixed.example/a.mp3',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'https://u:p@mixed.example/a.mp3',
        'https://mixed.example/good.mp3',
      ]
        .map((url, index) => `<item><title>${index}</title><guid>x${index}</guid><enclosure url="${url}" type="audio/mpeg"/></item>`)
        .join('')}`,
    ),
    imported: { title: 'Mixed', keys: ['x4'] },
  },
  {
    what: 'a path in the title, and in every name',
    body: channel(
      '',
      '<title>../../etc/cron.d</title><item><title>../../../root/.ssh/x</title><guid>../../g</guid><enclosure url="https://path.example/..%2f..%2fx.mp3" type="audio/mpeg"/></item>',
    ),
    imported: { title: '../../etc/cron.d', keys: ['../../g'] },
  },
  {
    what: 'ten thousand items, of which as many are read as are kept',
    body: channel(
      '',
      `<title>Endless years</title>${Array.from({ length: 10_000 }, (_, n) => `<item><title>${n}</title><guid>${n}</guid><enclosure url="https://years.example/${n}.mp3" type="audio/mpeg"/></item>`).join('')}`,
    ),
    imported: { title: 'Endless years', keys: Array.from({ length: 5000 }, (_, n) => String(n)) },
  },
];

/** Feeds that are imported. */
export const goodFeeds: readonly GoodFeed[] = [...hosted, ...dialects, ...careless];
