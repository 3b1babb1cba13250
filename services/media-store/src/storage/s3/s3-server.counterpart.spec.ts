import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { checkedOutboundClient, type OutboundClient, parseRanges } from '@continuo/chassis';
import { parseStorageAddress, type StorageAddress } from '@continuo/contracts';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageUnavailable, type StorageFile } from '../file-storage.js';
import { S3Storage } from './s3-storage.js';

/* An S3 server that checks signatures, keeps versions, encrypts, and ends while it answers. */

const KEYS = 100_000;
const UPLOADS_AT_ONCE = 48;
const PART = 5 * 1024 * 1024;
let s3: TestS3;
let outbound: OutboundClient;

interface Place {
  readonly bucket?: string;
  readonly prefix?: string;
  readonly secret?: string;
  readonly name?: string;
  readonly region?: string;
}

const storageAt = ({
  bucket = s3.bucket,
  prefix = 'p',
  secret = s3.secretAccessKey,
  name = s3.accessKeyId,
  region = 'us-east-1',
}: Place = {}): S3Storage =>
  new S3Storage({
    address: parseStorageAddress(`s3+${s3.endpoint}/${bucket}/${prefix}`) as Extract<StorageAddress, { type: 's3' }>,
    region,
    credentials: { name, secret },
    outbound,
  });

const all = async (files: AsyncIterable<StorageFile>): Promise<StorageFile[]> => {
  const found: StorageFile[] = [];
  for await (const file of files) found.push(file);
  return found;
};

const bytesOf = async (storage: S3Storage, path: string, part?: { start: number; end?: number }): Promise<Buffer> =>
  buffer((await storage.read(path, part)).body);

beforeAll(async () => {
  s3 = await testS3();
  outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.1']) });
});
afterAll(async () => {
  await outbound.close();
  await s3.stop();
});

describe('an S3 server', () => {
  const bytes = randomBytes(3 * PART + 1234);

  it('gives the asked parts of objects, also of those that were uploaded in parts', async () => {
    await s3.put('p/one.flac', bytes);
    const target = { Bucket: s3.bucket, Key: 'p/parts.flac' };
    const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(target));
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let number = 1; (number - 1) * PART < bytes.length; number += 1) {
      const Body = bytes.subarray((number - 1) * PART, number * PART);
      const { ETag } = await s3.client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: number, Body }));
      Parts.push({ ETag, PartNumber: number });
    }
    await s3.client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }));
    const storage = storageAt();
    for (const path of ['one.flac', 'parts.flac']) {
      expect(await storage.stat(path)).toMatchObject({ sizeBytes: bytes.length });
      expect((await bytesOf(storage, path)).equals(bytes)).toBe(true);
      for (const [start, end] of [
        [0, 0],
        [PART - 1, PART],
        [2 * PART - 10, 3 * PART + 10],
        [bytes.length - 1, bytes.length - 1],
        [bytes.length - 100, undefined],
      ] as const) {
        const part = await bytesOf(storage, path, { start, ...(end === undefined ? {} : { end }) });
        expect([path, start, end, part.equals(bytes.subarray(start, end === undefined ? undefined : end + 1))]).toEqual([
          path,
          start,
          end,
          true,
        ]);
      }
      const over = await storage.read(path, { start: bytes.length - 10, end: bytes.length + 1000 });
      expect([over.end, (await buffer(over.body)).length]).toEqual([bytes.length - 1, 10]);
      await expect(storage.read(path, { start: bytes.length })).rejects.toMatchObject({ code: 'media.range' });
    }
    await s3.put('p/empty.mp3', new Uint8Array());
    expect((await bytesOf(storage, 'empty.mp3')).length).toBe(0);
  });

  it('finds objects by the names that they have', async () => {
    const names = [
      "Ünï cødé (1)/it's 100% #1 + a&b=c*!.mp3",
      'plus+plus/a b.mp3',
      '50%25/%41.mp3',
      '音楽/🎵 ?.mp3',
      'semi;colon/a,b@c:d$e~f.mp3',
      'quotes/\'a\' "b" <c>.mp3',
    ];
    for (const name of names) await s3.put(`names/${name}`, name);
    const storage = storageAt({ prefix: 'names' });
    expect((await all(storage.list(''))).map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    for (const name of names) {
      expect((await bytesOf(storage, name)).toString()).toBe(name);
      expect((await storage.filesIn(name.slice(0, name.lastIndexOf('/')))).map(({ path }) => path)).toEqual([name]);
    }
  });

  it('refuses wrong keys and wrong secrets, which is told apart from files that are gone', async () => {
    await s3.put('p/there.mp3', 'x');
    for (const place of [{ secret: 'wrong' }, { name: 'nobody' }]) {
      const storage = storageAt(place);
      await expect(storage.check()).rejects.toThrow('are keys and permissions right?');
      await expect(all(storage.list(''))).rejects.toThrow(StorageUnavailable);
      await expect(storage.stat('there.mp3')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(storage.read('there.mp3')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await storage.isThere('there.mp3')).toBe(true);
    }
  });

  it('is told apart when it is in another region', async ({ skip }) => {
    if (!s3.looksAtRegions) skip('this server takes every region');
    await expect(storageAt({ region: 'eu-central-1' }).check()).rejects.toThrow('another region');
  });

  it('is unavailable, not empty, when the bucket vanishes', async () => {
    const Bucket = 'vanishing';
    await s3.client.send(new CreateBucketCommand({ Bucket }));
    await s3.client.send(new PutObjectCommand({ Bucket, Key: 'p/song.mp3', Body: 'song' }));
    const storage = storageAt({ bucket: Bucket });
    expect((await all(storage.list(''))).map(({ path }) => path)).toEqual(['song.mp3']);
    await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'p/song.mp3' }));
    await s3.client.send(new DeleteBucketCommand({ Bucket }));
    await expect(storage.check()).rejects.toThrow('there is no such bucket');
    await expect(all(storage.list(''))).rejects.toThrow('there is no such bucket');
    expect(await storage.isThere('song.mp3')).toBe(true);
  });

  it('shows the newest version of each object, and none that was deleted', async ({ skip }) => {
    if (!s3.keepsVersions) skip('this server keeps no versions');
    const Bucket = 'versions';
    await s3.client.send(new CreateBucketCommand({ Bucket }));
    await s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    const put = (Key: string, Body: string) => s3.client.send(new PutObjectCommand({ Bucket, Key: `p/${Key}`, Body }));
    await put('a.mp3', 'first');
    await put('b.mp3', 'only');
    const storage = storageAt({ bucket: Bucket });
    const before = await storage.stat('a.mp3');
    await put('a.mp3', 'other');
    await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'p/b.mp3' }));
    expect((await bytesOf(storage, 'a.mp3')).toString()).toBe('other');
    expect(await storage.stat('a.mp3')).not.toEqual(before);
    expect((await all(storage.list(''))).map(({ path }) => path)).toEqual(['a.mp3']);
    await expect(storage.stat('b.mp3')).rejects.toMatchObject({ code: 'media.not-found' });
    expect(await storage.isThere('b.mp3')).toBe(false);
    await put('b.mp3', 'again');
    expect(await all(storage.list(''))).toEqual([
      { path: 'a.mp3', ...(await storage.stat('a.mp3')) },
      { path: 'b.mp3', ...(await storage.stat('b.mp3')) },
    ]);
  });

  it('decrypts what it has encrypted', async ({ skip }) => {
    if (!s3.encrypts) skip('this server has no keys of its own');
    const input = { Bucket: s3.bucket, Key: 'p/sealed.flac', Body: bytes, ServerSideEncryption: 'AES256' } as const;
    await s3.client.send(new PutObjectCommand(input));
    const storage = storageAt();
    expect(await storage.stat('sealed.flac')).toMatchObject({ sizeBytes: bytes.length });
    expect((await bytesOf(storage, 'sealed.flac')).equals(bytes)).toBe(true);
    const part = await bytesOf(storage, 'sealed.flac', { start: PART - 7, end: PART + 1_000_000 });
    expect(part.equals(bytes.subarray(PART - 7, PART + 1_000_001))).toBe(true);
  });

  it('may end in the middle of an object: reading goes on when it is back', async () => {
    const long = randomBytes(48 * 1024 * 1024);
    await s3.put('p/long.flac', long);
    const { body } = await storageAt().read('long.flac');
    const chunks: Buffer[] = [];
    let restarted: Promise<void> | undefined;
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      restarted ??= s3.restart();
      // Slower than the server, so that it ends while it sends.
      if (chunks.length < 40) await delay(20);
    }
    await restarted;
    expect(Buffer.concat(chunks).equals(long)).toBe(true);
  });

  it(`lists ${KEYS} objects, each once`, async () => {
    const names = Array.from({ length: KEYS }, (_, at) => `${String(at % 100).padStart(2, '0')}/${String(at).padStart(6, '0')}.mp3`);
    const queue = names.values();
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: UPLOADS_AT_ONCE }, async () => {
        for (const name of queue) await s3.put(`many/${name}`, 'x');
      }),
    );
    const storage = storageAt({ prefix: 'many' });
    const listMs = performance.now();
    const found = await all(storage.list(''));
    const endMs = performance.now();
    process.stdout.write(`${KEYS} objects: put in ${Math.round(listMs - startMs)} ms, listed in ${Math.round(endMs - listMs)} ms\n`);
    expect(found.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    expect(await storage.filesIn('42')).toHaveLength(KEYS / 100);
  }, 900_000);
});
