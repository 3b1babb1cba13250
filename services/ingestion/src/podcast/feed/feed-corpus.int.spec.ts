import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkedOutboundClient, parseRanges, type OutboundClient } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  createPodcast,
  podcastId,
  recordEpisodes,
  recordPodcastVisit,
  Rejection,
  type CatalogId,
  type EpisodeAbout,
  type PodcastAbout,
} from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badFeeds, type CorpusAddresses } from '../../../test/feed-corpus/bad-feeds.js';
import { goodFeeds } from '../../../test/feed-corpus/good-feeds.js';
import { PodcastVisits } from '../podcast-visits.js';

/** Stands for the internet: the one address that the operator allows. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
const context = { actor: 'user:1', correlationId: 'c', causationId: 'spec' };
const MAX_BYTES = 3_000_000;
/** Never waited for but by feeds that are about time. */
const PATIENCE_MS = 30_000;
let outside: Server;
let inside: Server;
let outbound: OutboundClient;
/** Requests that the house saw: there must be none, ever. */
const leaks: string[] = [];
let answer: Parameters<typeof createServer>[1] & object;
let seen = 0;

const urlOf = (server: Server, host: string, path: string): string => `http://${host}:${(server.address() as AddressInfo).port}${path}`;
const addresses: CorpusAddresses = {
  outside: (path) => urlOf(outside, OUTSIDE, path),
  inside: (path) => urlOf(inside, INSIDE, path),
};

beforeAll(async () => {
  outside = createServer((request, response) => {
    seen += 1;
    answer(request, response);
  });
  inside = createServer((request, response) => {
    leaks.push(request.url ?? '');
    response.end('<rss><channel><title>The keys of the house</title></channel></rss>');
  });
  await Promise.all([
    new Promise<void>((resolve) => outside.listen(0, OUTSIDE, resolve)),
    new Promise<void>((resolve) => inside.listen(0, INSIDE, resolve)),
  ]);
  outbound = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]) });
});
beforeEach(() => {
  seen = 0;
});
afterAll(async () => {
  await outbound.close();
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    server.close();
  }
});

interface Imported {
  readonly about: PodcastAbout;
  readonly episodes: { readonly key: string; readonly about: EpisodeAbout }[];
}

/** Subscribes as the service does, and answers what the library was told; undefined: nothing. */
const subscribe = async (feedUrl: string, timeoutMs = PATIENCE_MS): Promise<Imported | undefined> => {
  const commands = new InMemoryCommandClient();
  let told: Imported | undefined;
  commands.handle(createPodcast, async ({ data }) => {
    told = { about: data.about, episodes: [] };
    return { result: { podcastId: podcastId.parse(1) }, positions: [] };
  });
  commands.handle(recordEpisodes, async ({ data }) => {
    told?.episodes.unshift(...data.episodes.toReversed());
    return { result: { added: data.episodes.length, changed: 0 }, positions: [] };
  });
  commands.handle(recordPodcastVisit, async () => ({ result: {}, positions: [] }));
  const reads = { podcast: async () => undefined, gathersPodcasts: async () => true };
  const limits = { maxBytes: MAX_BYTES, timeoutMs };
  const visits = new PodcastVisits({ outbound, commands, reads, limits, now: Date.now });
  await visits.subscribe({ catalogId: 1 as CatalogId, feedUrl }, context);
  return told;
};

const refusalOf = async (feedUrl: string, timeoutMs?: number): Promise<Rejection> => {
  try {
    await subscribe(feedUrl, timeoutMs);
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
  throw new Error('it was imported');
};

describe('a feed is imported', () => {
  it.each(goodFeeds)('$what', async ({ body, headers, imported }) => {
    answer = (_, response) => void response.writeHead(200, { 'content-type': 'application/rss+xml', ...headers }).end(body);
    const told = await subscribe(addresses.outside('/feed'));
    const { keys, first, ...about } = imported;
    expect(told?.about).toMatchObject(about);
    expect(told?.episodes.map(({ key }) => key)).toEqual(keys);
    expect(told?.episodes[0]?.about ?? {}).toMatchObject(first ?? {});
    // Nothing but the feed is fetched: no file, no picture, no document type.
    expect([seen, leaks]).toEqual([1, []]);
  });
});

describe('a feed is refused', () => {
  it.each(badFeeds)('$what', async ({ answer: how, url, reason, timeoutMs }) => {
    answer = (request, response) => (how ? how(request, response, addresses) : void response.writeHead(418).end());
    const { code, message } = await refusalOf(url ? url(addresses) : addresses.outside('/feed'), timeoutMs);
    expect([code, message, leaks]).toEqual(['podcast.feed-unusable', expect.stringMatching(reason), []]);
  });
});

it('there are enough of them', () => expect(goodFeeds.length + badFeeds.length).toBeGreaterThan(70));
