import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parsePlaceAddress, type PlaceAddress } from '@continuo/contracts';
import { testS3 } from '@continuo/local-servers';
import { checkedOutboundClient } from '../../outbound/adapters/checked-outbound-client.js';
import { parseRanges } from '../../outbound/public-address.js';
import { contractFiles, mediaStoreContract } from '../media-store.contract.js';
import { LoopbackMedia } from '../place/loopback-media.js';
import { S3Place } from '../place/s3/s3-place.js';
import { CatalogMediaStore } from './catalog-media-store.js';

const nowhere = () => Promise.reject(new Error('there is no other place'));

mediaStoreContract('in a folder', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-media-')));
  for (const [path, content] of Object.entries(contractFiles)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return {
    store: new CatalogMediaStore({ placeAt: nowhere }),
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
  const place = new S3Place({
    address: parsePlaceAddress(root) as Extract<PlaceAddress, { type: 's3' }>,
    region: 'us-east-1',
    credentials: { name: s3.accessKeyId, secret: s3.secretAccessKey },
    outbound,
  });
  const placeAt = () => Promise.resolve(place);
  const loopback = new LoopbackMedia(placeAt);
  return {
    store: new CatalogMediaStore({ placeAt, loopback }),
    root,
    readLocated: async (address) => (await fetch(address)).text(),
    close: async () => {
      await loopback.close();
      await outbound.close();
      await s3.stop();
    },
  };
});
