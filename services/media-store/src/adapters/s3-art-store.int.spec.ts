import { parseStorageAddress, type StorageAddress } from '@continuo/contracts';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artStoreContract } from '../../test/art-store.contract.js';
import { StorageUnavailable } from '../storage/file-storage.js';
import { S3ArtStore } from './s3-art-store.js';

let s3: TestS3;

const addressOf = (prefix: string): Extract<StorageAddress, { type: 's3' }> =>
  parseStorageAddress(`s3+${s3.endpoint}/${s3.bucket}/${prefix}`) as Extract<StorageAddress, { type: 's3' }>;
const open = (prefix: string, secretAccessKey = s3.secretAccessKey): S3ArtStore =>
  S3ArtStore.open(addressOf(prefix), { accessKeyId: s3.accessKeyId, secretAccessKey });

beforeAll(async () => {
  s3 = await testS3();
});
afterAll(() => s3.stop());

artStoreContract('in S3 storage', async () => {
  const store = open('pictures');
  const cutOff = (hash: string): Promise<void> => s3.put(`pictures/${hash.slice(0, 2)}/${hash}`, 'cut');
  return { store, cutOff, close: () => store.close() };
});

describe('S3 storage of pictures', () => {
  it('needs a key', () => {
    expect(() => S3ArtStore.open(addressOf('p'), {})).toThrow(StorageUnavailable);
  });

  it('takes nothing else in the bucket for pictures', async () => {
    await s3.put('mixed/cover.jpg', 'x');
    await s3.put(`mixed/zz/${'a'.repeat(64)}`, 'x');
    const store = open('mixed');
    const found: string[] = [];
    for await (const { hash } of store.list()) found.push(hash);
    expect(found).toEqual([]);
    await store.close();
  });

  it('is unavailable when it is away', async () => {
    const own = await testS3();
    const address = parseStorageAddress(`s3+${own.endpoint}/${own.bucket}`) as Extract<StorageAddress, { type: 's3' }>;
    const store = S3ArtStore.open(address, own);
    const hash = await store.put(Buffer.from('a picture'));
    await own.stop();
    await expect(store.stat(hash)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.check()).rejects.toThrow(StorageUnavailable);
    await store.close();
  });
});
