import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkedOutboundClient, parseRanges, type OutboundClient } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { createPodcast, recordEpisodes, recordPodcastFault, recordPodcastVisit, type CatalogId, type PodcastId } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { item, rss } from '../../test/feeds.js';
import { PodcastVisits } from './podcast-visits.js';
import type { PodcastVisitState } from './podcasts.reads.js';

const OUTSIDE = '127.0.0.2';
const CATALOG = 4 as CatalogId;
const PODCAST = 1 as PodcastId;
const context = { actor: 'user:1', correlationId: 'c', causationId: 'spec' };
let server: Server;
let outbound: OutboundClient;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let sent: { command: string; data: Record<string, unknown> }[];
let known: PodcastVisitState | undefined;
const url = (): string => `http://${OUTSIDE}:${(server.address() as AddressInfo).port}/feed`;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE, resolve));
  outbound = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]) });
});
afterAll(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  sent = [];
  known = { feedUrl: url(), memory: { etag: null, lastModified: null }, imageUrl: null };
});

const visits = (): PodcastVisits => {
  const commands = new InMemoryCommandClient();
  const note = (command: string, data: object): void => void sent.push({ command, data: data as Record<string, unknown> });
  commands.handle(createPodcast, async ({ data }) => {
    note('create', data);
    return { result: { podcastId: PODCAST }, positions: [] };
  });
  commands.handle(recordEpisodes, async ({ data }) => {
    note('record', data);
    return { result: { added: data.episodes.length, changed: 0 }, positions: [] };
  });
  commands.handle(recordPodcastVisit, async ({ data }) => {
    note('visit', data);
    return { result: {}, positions: [] };
  });
  commands.handle(recordPodcastFault, async ({ data }) => {
    note('fault', data);
    return { result: {}, positions: [] };
  });
  const reads = { podcast: async () => known, gathersPodcasts: async (id: CatalogId) => id === CATALOG };
  return new PodcastVisits({ outbound, commands, reads, limits: { maxBytes: 5_000_000, timeoutMs: 2000 }, now: Date.now });
};
const keys = (): string[][] =>
  sent.filter(({ command }) => command === 'record').map(({ data }) => (data['episodes'] as { key: string }[]).map(({ key }) => key));

describe('a subscription', () => {
  it('creates the podcast, then its episodes from the oldest, then records the visit', async () => {
    answer = (_, response) => response.writeHead(200, { etag: '"7"' }).end(rss(`${item('new')}${item('old')}`));
    expect((await visits().subscribe({ catalogId: CATALOG, feedUrl: url() }, context)).result).toEqual({ podcastId: PODCAST });
    expect(sent.map(({ command }) => command)).toEqual(['create', 'record', 'visit']);
    expect(sent[0]?.data).toMatchObject({ catalogId: CATALOG, feedUrl: url(), about: { title: 'Garden Talk', websiteUrl: null } });
    expect(keys()).toEqual([['old', 'new']]);
    expect(sent[2]?.data).toEqual({ podcastId: PODCAST, about: null, memory: { etag: '"7"', lastModified: null } });
  });

  it('splits a large feed into several commands', async () => {
    const text = `<description>${'word '.repeat(1000)}</description>`;
    answer = (_, response) =>
      response.end(rss(Array.from({ length: 100 }, (_one, index) => item(String(index), `<guid>${index}</guid>${text}`)).join('')));
    await visits().subscribe({ catalogId: CATALOG, feedUrl: url() }, context);
    expect([keys().length > 2, keys().flat().length]).toEqual([true, 100]);
  });

  it.each([
    ['a catalog of music', 5, () => undefined, 'podcast.wrong-catalog'],
    ['a page', 4, (response: ServerResponse) => response.end('<html></html>'), 'podcast.feed-unusable'],
    ['an error', 4, (response: ServerResponse) => response.writeHead(500).end(), 'podcast.feed-unusable'],
    [
      'a way into the house',
      4,
      (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      'podcast.feed-unusable',
    ],
    ['a server that knows nothing new', 4, (response: ServerResponse) => response.writeHead(304).end(), 'podcast.feed-unusable'],
  ])('is none to %s', async (_what, catalog, reply, code) => {
    answer = (_, response) => void reply(response);
    await expect(visits().subscribe({ catalogId: catalog as CatalogId, feedUrl: url() }, context)).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
  });
});

describe('another visit', () => {
  it('records new episodes', async () => {
    answer = (_, response) => response.end(rss(item('one')));
    expect((await visits().sync(PODCAST, context)).result).toEqual({ added: 1, changed: 0 });
    expect(sent.at(-1)).toMatchObject({ command: 'visit', data: { about: { title: 'Garden Talk' } } });
  });

  it('sends a conditional request', async () => {
    known = { feedUrl: url(), memory: { etag: '"7"', lastModified: null }, imageUrl: null };
    answer = ({ headers }, response) => response.writeHead(headers['if-none-match'] === '"7"' ? 304 : 500).end();
    expect((await visits().sync(PODCAST, context)).result).toEqual({ added: 0, changed: 0 });
    expect(sent).toEqual([{ command: 'visit', data: { podcastId: PODCAST, about: null, memory: null } }]);
  });

  it('keeps everything when the feed is gone, returns the reason, and rejects an unknown podcast', async () => {
    answer = (_, response) => response.writeHead(410).end();
    await expect(visits().sync(PODCAST, context)).rejects.toMatchObject({
      code: 'podcast.feed-unusable',
      message: expect.stringContaining('410'),
    });
    expect(sent).toEqual([{ command: 'fault', data: { podcastId: PODCAST, reason: 'the server of the feed answered 410' } }]);
    answer = (_, response) => response.end('<html></html>');
    await expect(visits().sync(PODCAST, context)).rejects.toMatchObject({ code: 'podcast.feed-unusable' });
    expect(sent.map(({ command }) => command)).toEqual(['fault', 'fault']);
    sent = [];
    known = undefined;
    await expect(visits().sync(PODCAST, context)).rejects.toMatchObject({ code: 'podcast.not-found' });
    expect(sent).toEqual([]);
  });
});
