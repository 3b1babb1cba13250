import { createHash, createHmac, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parseStorageAddress, type StorageAddress } from '@continuo/contracts';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkedOutboundClient, type OutboundClient, parseRanges } from '@continuo/chassis';
import { type FaultyProxy, startFaultyProxy } from '@continuo/chassis/testkit';
import { StorageUnavailable, type StorageFile } from '../file-storage.js';
import { S3Storage } from './s3-storage.js';

const SIZE = 3_000_000;
const bytes = randomBytes(SIZE);
let s3: TestS3;
let proxy: FaultyProxy;
let outbound: OutboundClient;
let storage: S3Storage;

const storageAt = (endpoint: string, bucket = s3.bucket): S3Storage =>
  new S3Storage({
    address: parseStorageAddress(`s3+${endpoint}/${bucket}/p`) as Extract<StorageAddress, { type: 's3' }>,
    region: 'us-east-1',
    credentials: { name: s3.accessKeyId, secret: s3.secretAccessKey },
    outbound,
    patience: { pausesMs: [5, 10, 20] },
    stallMs: 300,
  });
const all = async (files: AsyncIterable<StorageFile>): Promise<string[]> => {
  const paths: string[] = [];
  for await (const { path } of files) paths.push(path);
  return paths;
};

beforeAll(async () => {
  s3 = await testS3();
  proxy = await startFaultyProxy(s3.endpoint);
  outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.1']) });
  storage = storageAt(proxy.url);
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
    expect(await storage.stat('song.mp3')).toMatchObject({ sizeBytes: SIZE });
    expect(proxy.requests).toHaveLength(3);
  });

  it.each([
    ['busy for long', busy],
    ['without permission', refused],
    ['one that sends elsewhere', { status: 301, headers: { location: 'http://127.0.0.1:9/' } }],
    ['none at all', { status: 200, body: 'hello' }],
    ['a page of the web', { status: 200, body: '<html><body>Log in</body></html>', headers: { 'content-type': 'text/html' } }],
    ['broken XML', { status: 200, body: '<ListBucketResult><Contents>', headers: { 'content-type': 'application/xml' } }],
  ])('is no empty storage: %s', async (_, fault) => {
    proxy.fault = () => fault;
    await expect(storage.check()).rejects.toThrow(StorageUnavailable);
    await expect(all(storage.list(''))).rejects.toThrow(StorageUnavailable);
    expect(await storage.isThere('song.mp3')).toBe(true);
  });

  it.each([
    ['busy for long', busy],
    ['without permission', refused],
  ])('is told apart from a file that is gone: %s', async (_, fault) => {
    proxy.fault = () => fault;
    await expect(storage.stat('song.mp3')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(storage.read('song.mp3')).rejects.toMatchObject({ code: 'unavailable' });
    proxy.reset();
    await expect(storage.stat('none.mp3')).rejects.toMatchObject({ code: 'media.not-found' });
    expect(await storage.isThere('none.mp3')).toBe(false);
  });

  it('does not end a list early when a page fails', async () => {
    for (let song = 0; song < 5; song += 1) await s3.put(`p/many/${song}.mp3`, 'x');
    let lists = 0;
    proxy.fault = (request) => (request.url?.includes('list-type') && (lists += 1) > 1 ? refused : undefined);
    const paged = storageAt(proxy.url);
    expect(await all(paged.list('many'))).toHaveLength(5);
    await expect(all(paged.list('many'))).rejects.toThrow(StorageUnavailable);
  });

  it('says that there is no such bucket', async () => {
    const nowhere = storageAt(proxy.url, 'nobucket');
    await expect(nowhere.check()).rejects.toThrow('there is no such bucket');
    expect(await nowhere.isThere('song.mp3')).toBe(true);
  });

  it('goes on where a body was cut', async () => {
    proxy.fault = (_, index) => (index < 3 ? { cutAfterBytes: 700_000 } : undefined);
    expect((await buffer((await storage.read('song.mp3')).body)).equals(bytes)).toBe(true);
    expect(proxy.requests.slice(1).map(({ headers }) => headers.range)).toEqual(
      [700_000, 1_400_000, 2_100_000].map((start) => `bytes=${start}-${SIZE - 1}`),
    );
    expect(proxy.requests[1]?.headers['if-match']).toBeDefined();
  });

  it('goes on where a body stands still', async () => {
    proxy.fault = (_, index) => (index === 0 ? { stallAfterBytes: 500_000 } : undefined);
    const { body } = await storage.read('song.mp3', { start: 1000, end: 1_500_000 });
    expect((await buffer(body)).equals(bytes.subarray(1000, 1_500_001))).toBe(true);
  });

  it('goes on where a body was cut when the storage is away for longer than one request is retried', async () => {
    proxy.fault = (_, index) => (index === 0 ? { cutAfterBytes: 700_000 } : index < 10 ? busy : undefined);
    expect((await buffer((await storage.read('song.mp3')).body)).equals(bytes)).toBe(true);
    expect(proxy.requests).toHaveLength(11);
  });

  it('gives up a body that is cut over and over, and one whose file is another now', async () => {
    proxy.fault = () => ({ cutAfterBytes: 0 });
    await expect(storage.read('song.mp3').then(({ body }) => buffer(body))).rejects.toThrow(/early|broke|terminated|closed/);
    proxy.fault = (_, index) =>
      index === 0 ? { cutAfterBytes: 1000 } : { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' };
    proxy.requests.length = 0;
    await expect(storage.read('song.mp3').then(({ body }) => buffer(body))).rejects.toThrow('another one');
  }, 30_000);

  it('is left alone as soon as the listener has gone', async () => {
    // Longer than what the sockets on the way may hold.
    const long = Buffer.alloc(20 * SIZE);
    await s3.put('p/long.mp3', long);
    const { body } = await storage.read('long.mp3');
    const closed = new Promise((resolve) => body.once('close', resolve));
    body.once('data', () => body.destroy());
    await closed;
    expect(proxy.passedBytes()).toBeLessThan(long.length);
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
    await storage.stat(odd);
    await buffer((await storage.read(odd, { start: 1, end: 2 })).body);
    await all(storage.list('Ünï cødé (1)'));
    await storage.filesIn('Ünï cødé (1)');
    expect(proxy.requests).toHaveLength(4);
    for (const request of proxy.requests) {
      const { told, computed } = signatureOf(request, s3.secretAccessKey);
      expect(told).toMatch(/^[0-9a-f]{64}$/);
      expect([request.url, told]).toEqual([request.url, computed]);
    }
  });

  it('never go to a private address that is not allowed', async () => {
    const strict = checkedOutboundClient();
    const address = parseStorageAddress(`s3+${s3.endpoint}/${s3.bucket}`) as Extract<StorageAddress, { type: 's3' }>;
    const outside = new S3Storage({ address, region: 'x', credentials: { name: 'a', secret: 'b' }, outbound: strict });
    await expect(outside.check()).rejects.toThrow(/address|private|not allowed/i);
    await strict.close();
  });
});
