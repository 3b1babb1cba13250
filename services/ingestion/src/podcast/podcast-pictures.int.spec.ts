import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedOutboundClient, parseRanges, type OutboundClient } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { recordPodcastArt, type PodcastId } from '@continuo/contracts';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LocalArtStore } from '@continuo/media-store';
import { PodcastPictures } from './podcast-pictures.js';

const OUTSIDE = '127.0.0.2';
const PODCAST = 1 as PodcastId;
const context = { actor: 'user:1', correlationId: 'c', causationId: 'spec' };
const HOUR_MS = 3_600_000;

/** The head of a picture of that size, which is all that is looked at. */
const pngOf = (sidePx: number): Buffer => {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex');
  head.writeUInt32BE(sidePx, 16);
  head.writeUInt32BE(sidePx, 20);
  return Buffer.concat([head, Buffer.alloc(100)]);
};
const png = pngOf(40);

let server: Server;
let outbound: OutboundClient;
let folder: string;
let answer: (response: ServerResponse) => void;
let asked: number;
let sent: { readonly imageUrl: string; readonly art: { readonly hash: string; readonly mime: string } }[];
let kept: string | undefined;
let clockMs: number;
const url = (path = '/cover.png'): string => `http://${OUTSIDE}:${(server.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  server = createServer((_, response) => {
    asked += 1;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE, resolve));
  outbound = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]) });
  folder = await mkdtemp(join(tmpdir(), 'continuo-pictures-'));
});
afterAll(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  asked = 0;
  sent = [];
  kept = undefined;
  clockMs = 1_700_000_000_000;
  answer = (response) => response.end(png);
});

const pictures = (): PodcastPictures => {
  const commands = new InMemoryCommandClient().handle(recordPodcastArt, async ({ data }) => {
    sent.push(data);
    kept = data.imageUrl;
    return { result: {}, positions: [] };
  });
  return new PodcastPictures({
    outbound,
    commands,
    store: new LocalArtStore(folder),
    keptFrom: async () => kept,
    limits: { maxBytes: 100_000, maxPixels: 10_000 },
    log: pino({ level: 'silent' }),
    now: () => clockMs,
  });
};

describe('the picture of a podcast', () => {
  it('is stored by its content, whatever its address says', async () => {
    await pictures().keep(PODCAST, url('/cover.jpg'), context);
    expect(sent).toMatchObject([{ podcastId: PODCAST, imageUrl: url('/cover.jpg'), art: { mime: 'image/png', widthPx: 40 } }]);
    const stored = await new LocalArtStore(folder).open(sent[0]?.art.hash ?? '');
    expect(Buffer.concat(await stored.toArray())).toEqual(png);
  });

  it('is fetched once, and again when its address changes', async () => {
    const one = pictures();
    for (const path of ['/a.png', '/a.png', '/b.png', '/b.png']) await one.keep(PODCAST, url(path), context);
    expect([asked, sent.map(({ imageUrl }) => imageUrl)]).toEqual([2, [url('/a.png'), url('/b.png')]]);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['that is not there', (response) => response.writeHead(404).end()],
    ['that is a page', (response) => response.end('<html>')],
    ['that is nothing', (response) => response.end()],
    ['of too many bytes', (response) => response.end(Buffer.concat([png, Buffer.alloc(200_000)]))],
    ['that breaks off', (response) => response.writeHead(200, { 'content-length': '5000' }).write('x') && response.destroy()],
    ['in the house', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ])('is left alone for a day: one %s', async (_, bad) => {
    answer = bad;
    const one = pictures();
    await one.keep(PODCAST, url(), context);
    clockMs += 23 * HOUR_MS;
    await one.keep(PODCAST, url(), context);
    expect([asked, sent]).toEqual([1, []]);
    clockMs += 2 * HOUR_MS;
    answer = (response) => response.end(png);
    await one.keep(PODCAST, url(), context);
    expect([asked, sent.length]).toEqual([2, 1]);
  });

  it('is rejected with too many pixels, or none', async () => {
    answer = (response) => response.end(pngOf(200));
    await pictures().keep(PODCAST, url(), context);
    await pictures().keep(PODCAST, null, context);
    expect([asked, sent]).toEqual([1, []]);
  });

  it('is never fetched from this machine', async () => {
    await pictures().keep(PODCAST, 'http://127.0.0.1:9/cover.png', context);
    expect([asked, sent]).toEqual([0, []]);
  });
});
