import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { testNats, type TestNats } from '@continuo/local-servers';
import { LocalArtStore, openArtStore, type ArtStore } from '@continuo/media-store';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyArt } from './copy-art.js';

let server: TestNats;
let nats: NatsConnection;
let home: string;
let folder: LocalArtStore;
let bucket: ArtStore;
const pictures = Array.from({ length: 40 }, (_, at) => randomBytes(at * 20_000 + 1));
const nothing = (): void => undefined;

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
  home = await mkdtemp(join(tmpdir(), 'continuo-copy-art-'));
  folder = new LocalArtStore(join(home, 'art'));
  bucket = await openArtStore({ ART_STORAGE: 'nats', CONTINUO_DATA: home, S3_REGION: '' }, { nats, replicas: 1 });
  for (const bytes of pictures) await folder.put(bytes);
});
afterAll(async () => {
  await nats.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

describe('a copy of pictures', () => {
  it('goes on where it was interrupted', async () => {
    const interrupted: ArtStore = {
      put: (bytes) => (bytes.length > 400_000 ? Promise.reject(new Error('interrupted')) : bucket.put(bytes)),
      stat: (hash) => bucket.stat(hash),
      open: (hash) => bucket.open(hash),
      list: () => bucket.list(),
      check: () => bucket.check(),
      close: () => bucket.close(),
    };
    await expect(copyArt(folder, interrupted, nothing)).rejects.toThrow('interrupted');
    const before: string[] = [];
    for await (const { hash } of bucket.list()) before.push(hash);
    const { total, copied, damaged } = await copyArt(folder, bucket, nothing);
    expect({ total, copied, damaged }).toEqual({ total: pictures.length, copied: pictures.length - before.length, damaged: [] });
    for (const bytes of pictures) expect((await buffer(await bucket.open(await folder.put(bytes)))).equals(bytes)).toBe(true);
  });

  it('finds nothing to do a second time, and copies what came meanwhile', async () => {
    expect(await copyArt(folder, bucket, nothing)).toMatchObject({ total: pictures.length, copied: 0, copiedBytes: 0 });
    await folder.put(Buffer.from('another'));
    expect(await copyArt(folder, bucket, nothing)).toMatchObject({ total: pictures.length + 1, copied: 1, copiedBytes: 7 });
  });

  it('names pictures that are damaged, and leaves them out', async () => {
    const hash = await folder.put(Buffer.from('whole'));
    await writeFile(folder.pathOf(hash), 'other');
    expect(await copyArt(folder, bucket, nothing)).toMatchObject({ copied: 0, damaged: [hash] });
    await expect(bucket.stat(hash)).rejects.toMatchObject({ code: 'art.not-found' });
  });

  it('names pictures that do not come back as they were stored', async () => {
    const target = new LocalArtStore(join(home, 'other'));
    const lossy: ArtStore = {
      put: async (bytes) => {
        const hash = await target.put(bytes);
        await writeFile(target.pathOf(hash), 'lost');
        return hash;
      },
      stat: (hash) => target.stat(hash),
      open: (hash) => target.open(hash),
      list: () => target.list(),
      check: () => target.check(),
      close: () => target.close(),
    };
    const { copied, damaged } = await copyArt(bucket, lossy, nothing);
    expect([copied, damaged.length]).toEqual([0, pictures.length + 1]);
  });
});
