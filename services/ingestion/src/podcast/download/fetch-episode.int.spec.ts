import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkedOutboundClient, parseRanges, type OutboundClient } from '@continuo/chassis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EpisodeHost, type HostedFile } from '../../../test/episode-host.js';
import { DownloadFault } from './download-fault.js';
import { EpisodeFetch, type Arrived, type DownloadLimits } from './fetch-episode.js';

/** Stands for the internet; every other address of this machine for what must not be reached. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 251));
let host: EpisodeHost;
let house: EpisodeHost;
let outbound: OutboundClient;
let folder: string;
let place: { part: string; note: string };

beforeAll(async () => {
  [host, house] = await Promise.all([EpisodeHost.start(OUTSIDE), EpisodeHost.start(INSIDE)]);
  outbound = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]) });
  house.files.set('/secret.mp3', { bytes });
});
afterAll(async () => {
  host.stop();
  house.stop();
  await outbound.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-episodes-'));
  place = { part: join(folder, '.1.part'), note: join(folder, '.1.part.json') };
  host.seen.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const limits: DownloadLimits = { maxBytes: 1_000_000, timeoutMs: 10_000, stallMs: 5000, keepFreeBytes: 0 };
const fetch = (path: string, more: Partial<DownloadLimits> = {}, signal = new AbortController().signal): Promise<Arrived> => {
  const url = path.startsWith('http') ? path : host.url(path);
  return new EpisodeFetch({ outbound, limits: { ...limits, ...more } }, url, place).run(signal);
};
const faultOf = async (path: string, more: Partial<DownloadLimits> = {}): Promise<DownloadFault> => {
  try {
    await fetch(path, more);
  } catch (error) {
    if (error instanceof DownloadFault) return error;
    throw error;
  }
  throw new Error('it came');
};
const serve = (file: Partial<HostedFile> = {}): string => {
  host.files.set('/a.mp3', { bytes, ...file });
  return '/a.mp3';
};
const ranges = (): (string | undefined)[] => host.seen.map(({ range }) => range);
const left = (): Promise<string[]> => readdir(folder);

const sizeOfPart = async (): Promise<number> => (await stat(place.part).catch(() => undefined))?.size ?? 0;
/** An attempt that is cut once so much is here. */
const cutAt = async (atBytes: number, file: Partial<HostedFile> = {}): Promise<DownloadFault> => {
  const already = await sizeOfPart();
  const running = faultOf(serve({ ...file, holdAfter: atBytes - already, cutAfter: atBytes - already }));
  await expect.poll(sizeOfPart).toBe(atBytes);
  host.release();
  return running;
};

describe('a file', () => {
  it('arrives as it is, whether its length is told or not', async () => {
    for (const file of [{}, { chunked: true }, { etag: null }, { type: 'application/octet-stream' }, { type: 'text/plain' }]) {
      expect(await fetch(serve(file))).toMatchObject({ sizeBytes: bytes.length });
      expect(bytes.equals(await readFile(place.part))).toBe(true);
      await rm(place.part);
      await rm(place.note);
    }
  });

  it('is found behind the houses that count listeners', async () => {
    const target = host.url(serve());
    for (let hop = 0; hop < 10; hop += 1)
      host.answers.set(`/hop${hop}`, (_, response) =>
        response.writeHead(302, { location: hop === 9 ? target : host.url(`/hop${hop + 1}`) }).end(),
      );
    expect(await fetch('/hop0')).toMatchObject({ sizeBytes: bytes.length, mime: 'audio/mpeg' });
  });

  it('is gone on with where it was cut, and is the same in the end', async () => {
    expect(await cutAt(120_000)).toMatchObject({ trouble: 'disturbed', gainedBytes: 120_000 });
    expect(await cutAt(170_000)).toMatchObject({ trouble: 'disturbed', gainedBytes: 50_000 });
    expect(await fetch(serve())).toEqual({ sizeBytes: bytes.length, mime: 'audio/mpeg' });
    expect(bytes.equals(await readFile(place.part))).toBe(true);
    expect(ranges()).toEqual([undefined, 'bytes=120000-', 'bytes=170000-']);
  });

  it('is not asked for again when it was whole already', async () => {
    await fetch(serve());
    host.seen.length = 0;
    expect(await fetch('/a.mp3')).toEqual({ sizeBytes: bytes.length, mime: 'audio/mpeg' });
    expect(host.seen).toEqual([]);
  });

  it('begins anew where the server has another one by now', async () => {
    await cutAt(120_000);
    const other = Buffer.from(bytes.map((byte) => 255 - byte));
    expect(await fetch(serve({ bytes: other, etag: '"2"' }))).toMatchObject({ sizeBytes: other.length });
    expect(other.equals(await readFile(place.part))).toBe(true);
  });

  it.each([
    ['knows nothing of parts', { whole: true }],
    ['tells nothing of its file', { etag: null }],
  ])('begins anew where the server %s', async (_what, file) => {
    await cutAt(120_000, file);
    await fetch(serve(file));
    expect(bytes.equals(await readFile(place.part))).toBe(true);
  });

  it.each([
    ['a part that does not begin where it should', { 'content-range': 'bytes 5-299999/300000' }, 206],
    ['that there is no such part', { 'content-range': 'bytes */300000' }, 416],
  ])('begins anew where the server says %s', async (_what, headers, status) => {
    await cutAt(120_000);
    host.answers.set('/a.mp3', ({ headers: { range } }, response) =>
      range ? response.writeHead(status, headers).end('wrong') : response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(bytes),
    );
    await fetch('/a.mp3');
    host.answers.clear();
    expect(bytes.equals(await readFile(place.part))).toBe(true);
  });

  it('begins anew when what is remembered of it is damaged', async () => {
    await cutAt(120_000);
    await writeFile(place.note, '{"url":');
    await fetch(serve());
    expect([bytes.equals(await readFile(place.part)), ranges()]).toEqual([true, [undefined, undefined]]);
  });

  it('that is written twice at once is the same in the end', async () => {
    const slow = fetch(serve({ holdAfter: 100_000 }));
    await expect.poll(sizeOfPart).toBeGreaterThan(0);
    await fetch(serve());
    host.release();
    await slow;
    expect(bytes.equals(await readFile(place.part))).toBe(true);
  });
});

describe('what does not come', () => {
  it.each([404, 410, 403, 401])('because the server answers %i, is refused', async (status) => {
    host.answers.set('/no', (_, response) => response.writeHead(status).end());
    expect(await faultOf('/no')).toMatchObject({ trouble: 'refused', message: `the server of the file answered ${status}` });
  });

  it.each([429, 500, 503])('because the server answers %i, may come later', async (status) => {
    host.answers.set('/no', (_, response) => response.writeHead(status).end());
    expect(await faultOf('/no')).toMatchObject({ trouble: 'disturbed' });
  });

  it.each(['text/html; charset=utf-8', 'application/json', 'image/png', 'application/xml'])('is refused as %s', async (type) => {
    expect(await faultOf(serve({ type }))).toMatchObject({ trouble: 'refused' });
    expect(await left()).toEqual([]);
  });

  it.each([
    ['told', {}],
    ['found out', { chunked: true }],
  ])('is refused when it is larger than may be, as %s', async (_how, file) => {
    expect(await faultOf(serve(file), { maxBytes: 200_000 })).toMatchObject({
      trouble: 'refused',
      message: 'the file is larger than 200000 bytes',
    });
    expect(await left()).toEqual([]);
  });

  it('is refused when it swells on the way', async () => {
    host.answers.set('/bomb', (_, response) =>
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    );
    expect(await faultOf('/bomb')).toMatchObject({ trouble: 'refused' });
    expect(await left()).toEqual([]);
  });

  it('waits for room', async () => {
    expect(await faultOf(serve(), { keepFreeBytes: Number.MAX_SAFE_INTEGER })).toMatchObject({ trouble: 'no-room' });
    expect(await left()).toEqual([]);
  });

  it('is given up for now when the server is silent, early or late', async () => {
    host.answers.set('/silent', () => undefined);
    expect(await faultOf('/silent', { stallMs: 200 })).toMatchObject({ trouble: 'disturbed', message: 'the server was silent for 200 ms' });
    const late = await faultOf(serve({ holdAfter: 100_000 }), { stallMs: 300 });
    expect([late.message, late.trouble, late.gainedBytes]).toEqual(['the server was silent for 300 ms', 'disturbed', 100_000]);
    expect((await left()).toSorted()).toEqual(['.1.part', '.1.part.json']);
  });

  it('is given up for now when its time is over', async () => {
    expect(await faultOf(serve({ holdAfter: 100_000 }), { timeoutMs: 300 })).toMatchObject({ trouble: 'disturbed', gainedBytes: 100_000 });
  });

  it('is empty', async () => {
    expect(await faultOf(serve({ bytes: Buffer.alloc(0) }))).toMatchObject({ trouble: 'disturbed' });
    expect(await faultOf(serve({ bytes: Buffer.alloc(0), chunked: true }))).toMatchObject({ trouble: 'disturbed' });
  });

  it('ends with the wish of whoever wanted it, and stays to be gone on with', async () => {
    const stop = new AbortController();
    const ended = fetch(serve({ holdAfter: 100_000 }), {}, stop.signal).catch((error: unknown) => error);
    await expect.poll(sizeOfPart).toBe(100_000);
    stop.abort(new Error('enough'));
    expect(await ended).toMatchObject({ message: 'enough' });
    await fetch(serve());
    expect([bytes.equals(await readFile(place.part)), ranges()]).toEqual([true, [undefined, 'bytes=100000-']]);
  });

  it('lies in the house: nothing there is asked', async () => {
    host.answers.set('/inward', (_, response) => response.writeHead(302, { location: house.url('/secret.mp3') }).end());
    host.answers.set('/loop', (_, response) => response.writeHead(302, { location: '/loop' }).end());
    for (const address of [house.url('/secret.mp3'), '/inward', 'http://169.254.169.254/a.mp3', 'http://[::1]/a.mp3', '/loop'])
      expect([address, (await faultOf(address)).trouble]).toEqual([address, 'refused']);
    expect(house.seen).toEqual([]);
  });
});
