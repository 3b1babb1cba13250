import { createHash, createHmac, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parsePlaceAddress, type PlaceAddress } from '@continuo/contracts';
import { testS3, type TestS3 } from '@continuo/local-servers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkedOutboundClient } from '../../../outbound/adapters/checked-outbound-client.js';
import type { OutboundClient } from '../../../outbound/outbound-client.js';
import { parseRanges } from '../../../outbound/public-address.js';
import { startFaultyProxy, type FaultyProxy } from '../../../testkit/faulty-proxy.js';
import { PlaceUnusable, type PlaceFile } from '../file-place.js';
import { S3Place } from './s3-place.js';

const SIZE = 3_000_000;
const bytes = randomBytes(SIZE);
let s3: TestS3;
let proxy: FaultyProxy;
let outbound: OutboundClient;
let place: S3Place;

const placeAt = (endpoint: string, bucket = s3.bucket): S3Place =>
  new S3Place({
    address: parsePlaceAddress(`s3+${endpoint}/${bucket}/p`) as Extract<PlaceAddress, { type: 's3' }>,
    region: 'eu-central-1',
    credentials: { name: s3.accessKeyId, secret: s3.secretAccessKey },
    outbound,
    patience: { pausesMs: [5, 10, 20] },
    stallMs: 300,
  });
const all = async (files: AsyncIterable<PlaceFile>): Promise<string[]> => {
  const paths: string[] = [];
  for await (const { path } of files) paths.push(path);
  return paths;
};

beforeAll(async () => {
  s3 = await testS3();
  proxy = await startFaultyProxy(s3.endpoint);
  outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.1']) });
  place = placeAt(proxy.url);
  await s3.put('p/song.mp3', bytes);
});
afterAll(async () => {
  await outbound.close();
  await proxy.close();
  await s3.stop();
});
beforeEach(() => proxy.reset());

const busy = { status: 503, body: '<Error><Code>SlowDown</Code></Error>', headers: { 'content-type': 'application/xml' } };
const refused = { status: 403, body: '<Error><Code>AccessDenied</Code></Error>', headers: { 'content-type': 'application/xml' } };

describe('S3 storage that fails', () => {
  it('is waited for while it is busy', async () => {
    proxy.fault = (_, index) => (index < 2 ? busy : undefined);
    expect(await place.stat('song.mp3')).toMatchObject({ sizeBytes: SIZE });
    expect(proxy.requests).toHaveLength(3);
  });

  it.each([
    ['busy for long', busy],
    ['without permission', refused],
    ['one that sends elsewhere', { status: 301, headers: { location: 'http://127.0.0.1:9/' } }],
    ['none at all', { status: 200, body: 'hello' }],
    ['a page of the web', { status: 200, body: '<html><body>Log in</body></html>', headers: { 'content-type': 'text/html' } }],
    ['broken XML', { status: 200, body: '<ListBucketResult><Contents>', headers: { 'content-type': 'application/xml' } }],
  ])('is no empty place: %s', async (_, fault) => {
    proxy.fault = () => fault;
    await expect(place.check()).rejects.toThrow(PlaceUnusable);
    await expect(all(place.list(''))).rejects.toThrow(PlaceUnusable);
    expect(await place.isThere('song.mp3')).toBe(true);
  });

  it.each([
    ['busy for long', busy],
    ['without permission', refused],
  ])('is told apart from a file that is gone: %s', async (_, fault) => {
    proxy.fault = () => fault;
    await expect(place.stat('song.mp3')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(place.read('song.mp3')).rejects.toMatchObject({ code: 'unavailable' });
    proxy.reset();
    await expect(place.stat('none.mp3')).rejects.toMatchObject({ code: 'media.not-found' });
    expect(await place.isThere('none.mp3')).toBe(false);
  });

  it('does not end a list early when a page fails', async () => {
    for (let song = 0; song < 5; song += 1) await s3.put(`p/many/${song}.mp3`, 'x');
    let lists = 0;
    proxy.fault = (request) => (request.url?.includes('list-type') && (lists += 1) > 1 ? refused : undefined);
    const paged = placeAt(proxy.url);
    expect(await all(paged.list('many'))).toHaveLength(5);
    await expect(all(paged.list('many'))).rejects.toThrow(PlaceUnusable);
  });

  it('says that there is no such bucket', async () => {
    const nowhere = placeAt(proxy.url, 'nobucket');
    await expect(nowhere.check()).rejects.toThrow('there is no such bucket');
    expect(await nowhere.isThere('song.mp3')).toBe(true);
  });

  it('goes on where a body was cut', async () => {
    proxy.fault = (_, index) => (index < 3 ? { cutAfterBytes: 700_000 } : undefined);
    expect((await buffer((await place.read('song.mp3')).body)).equals(bytes)).toBe(true);
    expect(proxy.requests.slice(1).map(({ headers }) => headers.range)).toEqual(
      [700_000, 1_400_000, 2_100_000].map((start) => `bytes=${start}-${SIZE - 1}`),
    );
    expect(proxy.requests[1]?.headers['if-match']).toBeDefined();
  });

  it('goes on where a body stands still', async () => {
    proxy.fault = (_, index) => (index === 0 ? { stallAfterBytes: 500_000 } : undefined);
    const { body } = await place.read('song.mp3', { start: 1000, end: 1_500_000 });
    expect((await buffer(body)).equals(bytes.subarray(1000, 1_500_001))).toBe(true);
  });

  it('gives up a body that is cut over and over, and one whose file is another now', async () => {
    proxy.fault = () => ({ cutAfterBytes: 0 });
    await expect(place.read('song.mp3').then(({ body }) => buffer(body))).rejects.toThrow(/early|broke|terminated|closed/);
    proxy.fault = (_, index) =>
      index === 0 ? { cutAfterBytes: 1000 } : { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' };
    proxy.requests.length = 0;
    await expect(place.read('song.mp3').then(({ body }) => buffer(body))).rejects.toThrow('another one');
  }, 30_000);

  it('is left alone as soon as the listener has gone', async () => {
    const { body } = await place.read('song.mp3');
    const closed = new Promise((resolve) => body.once('close', resolve));
    body.once('data', () => body.destroy());
    await closed;
    expect(proxy.passedBytes()).toBeLessThan(SIZE);
  });
});

/** The signature of a request as the storage computes it (Signature Version 4), from the request as it came in. */
const signatureOf = ({ method, url, headers }: FaultyProxy['requests'][number], secret: string): { told: string; computed: string } => {
  const [, scope = '', signed = '', told = ''] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  const [path = '', query = ''] = url.split('?');
  const lines = signed
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, path, query.split('&').toSorted().join('&'), lines, signed, headers['x-amz-content-sha256']].join('\n');
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((last, part) => createHmac('sha256', last).update(part).digest(), `AWS4${secret}`);
  return { told, computed: createHmac('sha256', key).update(toSign).digest('hex') };
};

describe('requests to S3 storage', () => {
  it('are signed as they go out, whatever the names hold', async () => {
    const odd = "Ünï cødé (1)/it's 100% #1 + a&b=c*!.mp3";
    await s3.put(`p/${odd}`, 'odd');
    proxy.reset();
    await place.stat(odd);
    await buffer((await place.read(odd, { start: 1, end: 2 })).body);
    await all(place.list('Ünï cødé (1)'));
    await place.filesIn('Ünï cødé (1)');
    expect(proxy.requests).toHaveLength(4);
    for (const request of proxy.requests) {
      const { told, computed } = signatureOf(request, s3.secretAccessKey);
      expect(told).toMatch(/^[0-9a-f]{64}$/);
      expect([request.url, told]).toEqual([request.url, computed]);
    }
  });

  it('never go to a private address that is not allowed', async () => {
    const strict = checkedOutboundClient();
    const address = parsePlaceAddress(`s3+${s3.endpoint}/${s3.bucket}`) as Extract<PlaceAddress, { type: 's3' }>;
    const outside = new S3Place({ address, region: 'x', credentials: { name: 'a', secret: 'b' }, outbound: strict });
    await expect(outside.check()).rejects.toThrow(/address|private|not allowed/i);
    await strict.close();
  });
});
