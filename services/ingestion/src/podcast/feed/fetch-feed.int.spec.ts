import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { checkedOutboundClient, OutboundError, parseRanges, type OutboundClient } from '@continuo/chassis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { item, rss } from '../../../test/feeds.js';
import { FeedFault } from './feed.js';
import { fetchFeed, type FeedMemory, type FeedVisit } from './fetch-feed.js';

/** Stands for the internet; every other address of this machine stands for what must not be reached. */
const OUTSIDE = '127.0.0.2';
const nothing: FeedMemory = { etag: null, lastModified: null };
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const answers = new Map<string, Answer>();
let outside: Server;
let inside: Server;
let leaks = 0;
let client: OutboundClient;
const address = (path: string): string => `http://${OUTSIDE}:${(outside.address() as AddressInfo).port}${path}`;
const house = (): string => `http://127.0.0.1:${(inside.address() as AddressInfo).port}/feed`;

beforeAll(async () => {
  outside = createServer((request, response) =>
    (answers.get(request.url ?? '') ?? ((_, reply) => reply.writeHead(410).end()))(request, response),
  );
  inside = createServer((_, response) => {
    leaks += 1;
    response.end(rss(item('secret')));
  });
  await new Promise<void>((resolve) => outside.listen(0, OUTSIDE, resolve));
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  client = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]) });
});
afterAll(async () => {
  await client.close();
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    server.close();
  }
});

const visit = (url: string, memory = nothing, limits = {}): Promise<FeedVisit> =>
  fetchFeed(client, url, memory, { maxBytes: 1_000_000, timeoutMs: 2000, nowMs: Date.now(), ...limits });
const fault = async (url: string, limits = {}): Promise<string> => {
  try {
    return (await visit(url, nothing, limits)).outcome;
  } catch (error) {
    if (error instanceof OutboundError) return error.fault;
    if (error instanceof FeedFault) return error.reason;
    throw error;
  }
};

describe('fetching a feed', () => {
  it('decodes a compressed feed and resolves relative addresses', async () => {
    answers.set('/old', (_, response) => response.writeHead(301, { location: '/new/feed' }).end());
    answers.set('/new/feed', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', etag: '"1"' }).end(gzipSync(rss('<link>about</link>'))),
    );
    expect(await visit(address('/old'))).toMatchObject({
      outcome: 'read',
      feed: { title: 'Garden Talk', websiteUrl: address('/new/about') },
      memory: { etag: '"1"', lastModified: null },
    });
  });

  it('sends validators and accepts 304', async () => {
    const at = 'Tue, 03 Mar 2026 09:08:07 GMT';
    answers.set('/same', ({ headers }, response) =>
      headers['if-none-match'] === '"1"' && headers['if-modified-since'] === at
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: '"1"', 'last-modified': at }).end(rss('')),
    );
    const first = await visit(address('/same'));
    expect(first).toMatchObject({ outcome: 'read' });
    expect(await visit(address('/same'), first.outcome === 'read' ? first.memory : nothing)).toEqual({ outcome: 'unchanged' });
  });

  it('reports the status of other answers', async () => {
    expect(await visit(address('/gone'))).toEqual({ outcome: 'refused', status: 410 });
  });

  it('refuses private addresses, also through redirects', async () => {
    answers.set('/inward', (_, response) => response.writeHead(302, { location: house() }).end());
    answers.set('/metadata', (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end());
    answers.set('/loop', (_, response) => response.writeHead(302, { location: '/loop' }).end());
    const urls = [
      house(),
      address('/inward'),
      address('/metadata'),
      'http://[::1]/',
      'http://10.0.0.1/',
      'file:///etc/passwd',
      address('/loop'),
    ];
    expect(await Promise.all(urls.map((url) => fault(url)))).toEqual([
      ...Array.from({ length: 5 }, () => 'address-refused'),
      'address-form',
      'too-many-redirects',
    ]);
    expect(leaks).toBe(0);
  });

  it('fails for documents that are too large, too slow, or no feed', async () => {
    answers.set('/zeros', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from(`<rss><channel><title>${' '.repeat(3_000_000)}`))),
    );
    answers.set('/slow', (_, response) => void response.writeHead(200).write('<rss>'));
    answers.set('/page', (_, response) => response.end('<html></html>'));
    expect(await fault(address('/zeros'))).toBe('too-large');
    expect(await fault(address('/slow'), { timeoutMs: 200 })).toBe('timeout');
    expect(await fault(address('/page'))).toBe('not-a-feed');
  });
});
