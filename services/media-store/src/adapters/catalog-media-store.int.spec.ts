import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseStorageAddress, type StorageAddress } from '@continuo/contracts';
import { testS3 } from '@continuo/local-servers/s3';
import { checkedOutboundClient, parseRanges } from '@continuo/chassis';
import { contractFiles, mediaStoreContract } from '../../test/media-store.contract.js';
import { LoopbackMedia } from '../storage/loopback-media.js';
import { S3Storage } from '../storage/s3/s3-storage.js';
import { CatalogMediaStore } from './catalog-media-store.js';

const nowhere = () => Promise.reject(new Error('there is no other storage'));

mediaStoreContract('in a folder', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-media-')));
  for (const [path, content] of Object.entries(contractFiles)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return {
    store: new CatalogMediaStore({ storageAt: nowhere }),
    root,
    readLocated: (path) => readFile(path, 'utf8'),
    close: () => rm(root, { recursive: true, force: true }),
  };
});

mediaStoreContract('in S3 storage', async () => {
  const s3 = await testS3();
  for (const [path, content] of Object.entries(contractFiles)) await s3.put(`my music/${path}`, content);
  const root = `s3+${s3.endpoint}/${s3.bucket}/my%20music`;
  const outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.1']) });
  const storage = new S3Storage({
    address: parseStorageAddress(root) as Extract<StorageAddress, { type: 's3' }>,
    region: 'us-east-1',
    credentials: { name: s3.accessKeyId, secret: s3.secretAccessKey },
    outbound,
  });
  const storageAt = () => Promise.resolve(storage);
  const loopback = new LoopbackMedia(storageAt);
  return {
    store: new CatalogMediaStore({ storageAt, loopback }),
    root,
    readLocated: async (address) => (await fetch(address)).text(),
    close: async () => {
      await loopback.close();
      await outbound.close();
      await s3.stop();
    },
  };
});
