import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkedOutboundClient, parseRanges, type OutboundClient } from '@continuo/chassis';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { icyStationTitles, type StationTitles } from './station-titles.js';

/** A stand-in of a station: it goes on for ever, and says a title now and then. */
let station: Server;
let base: string;
let outbound: OutboundClient;
let titles: StationTitles;
let asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
let open = 0;

const block = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const units = Math.ceil(bytes.length / 16);
  return Buffer.concat([Buffer.of(units), bytes, Buffer.alloc(units * 16 - bytes.length)]);
};

beforeAll(async () => {
  station = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    if (path === '/moved') return void response.writeHead(302, { location: '/live' }).end();
    if (path === '/gone') return void response.writeHead(404).end('gone');
    if (path === '/inward') return void response.writeHead(302, { location: 'http://10.0.0.1/live' }).end();
    open += 1;
    response.on('close', () => (open -= 1));
    response.writeHead(200, { 'content-type': 'audio/mpeg', ...(path === '/plain' ? {} : { 'icy-metaint': '4096' }) });
    const piece = Buffer.concat([Buffer.alloc(4096, 0xff), path === '/silent' ? Buffer.of(0) : block("StreamTitle='Anna - First day';")]);
    const timer = setInterval(() => response.write(piece), 10);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => station.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(station.address() as AddressInfo).port}`;
  outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.1']) });
});
beforeEach(() => {
  asked = [];
  titles = icyStationTitles(outbound, pino({ level: 'silent' }));
});
afterAll(async () => {
  await outbound.close();
  station.closeAllConnections();
  await new Promise((resolve) => station.close(resolve));
});

describe('what a station plays', () => {
  it('is what it says, asked once by many, and the line is hung up', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => titles.titleAt(`${base}/live`)));
    expect(new Set(many)).toEqual(new Set(['Anna - First day']));
    expect(asked.map(({ path, headers }) => [path, headers['icy-metadata'], headers['referer']])).toEqual([['/live', '1', undefined]]);
    await expect.poll(() => open).toBe(0);
  });

  it('is found behind a redirect, and unknown where it is not said', async () => {
    expect(await titles.titleAt(`${base}/moved`)).toBe('Anna - First day');
    for (const path of ['/plain', '/silent', '/gone', '/inward'])
      expect([path, await titles.titleAt(base + path)]).toEqual([path, undefined]);
    await expect.poll(() => open).toBe(0);
  });

  it('is asked of no address of an inner network', async () => {
    const strict = checkedOutboundClient();
    const careful = icyStationTitles(strict, pino({ level: 'silent' }));
    expect(await careful.titleAt(`${base}/live`)).toBeUndefined();
    expect(asked).toEqual([]);
    await strict.close();
  });
});
