import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artStoreContract } from '../../test/art-store.contract.js';
import { NatsArtStore } from './nats-art-store.js';

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await testNats({ maxPayloadBytes: 1024 * 1024 });
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

artStoreContract('in NATS', async () => {
  const store = await NatsArtStore.open(nats, 1);
  const bucket = await new Kvm(jetstream(nats)).open('art');
  const cutOff = async (hash: string): Promise<void> => {
    await bucket.put(hash, '3');
    await bucket.put(`${hash}.0`, 'cut');
    await bucket.purge(`${hash}.1`);
  };
  return { store, cutOff, close: () => store.close() };
});

describe('the bucket of pictures', () => {
  it('keeps one copy of each part', async () => {
    const store = await NatsArtStore.open(nats, 1);
    const manager = await jetstreamManager(nats);
    const before = (await manager.streams.info('KV_art')).state.messages;
    await Promise.all(Array.from({ length: 5 }, () => store.put(Buffer.alloc(600_000, 'a'))));
    expect((await manager.streams.info('KV_art')).state.messages).toBe(before + 3);
  });

  it('lists more pictures than one answer holds', async () => {
    const store = await NatsArtStore.open(nats, 1);
    await Promise.all(Array.from({ length: 2500 }, (_, at) => store.put(Buffer.from(`many ${at}`))));
    const found = new Set<string>();
    for await (const { hash } of store.list()) found.add(hash);
    expect(found.size).toBeGreaterThanOrEqual(2500);
  });

  it('does not have what somebody deleted', async () => {
    const store = await NatsArtStore.open(nats, 1);
    const hash = await store.put(Buffer.from('to be deleted'));
    await (await new Kvm(jetstream(nats)).open('art')).delete(hash);
    await expect(store.stat(hash)).rejects.toMatchObject({ code: 'art.not-found' });
    for await (const one of store.list()) expect(one.hash).not.toBe(hash);
    await store.put(Buffer.from('to be deleted'));
    expect(await store.stat(hash)).toEqual({ sizeBytes: 13 });
  });

  it('is unavailable, not empty, when NATS is away', async () => {
    const own = await testNats();
    const connection = await connect({ servers: own.url, reconnect: false });
    const store = await NatsArtStore.open(connection, 1);
    const hash = await store.put(Buffer.from('a picture'));
    await own.stop();
    await expect(store.stat(hash)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.put(Buffer.from('another'))).rejects.toMatchObject({ code: 'unavailable' });
    await connection.close();
  });
});
