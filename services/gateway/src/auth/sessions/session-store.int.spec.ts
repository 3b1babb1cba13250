import { userId } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inMemorySessions } from '../../../test/auth/in-memory-sessions.js';
import { keyOfImplicit, keyOfToken, type SessionKey } from './session-key.js';
import type { NewSession, SessionRecord, SessionStore } from './session-store.js';
import { jetStreamSessions } from './session-store.adapter.js';

const LIFETIME_MS = 60_000;
const log = pino({ level: 'silent' });
const ada: NewSession = { userId: userId.parse(1), version: '6.0.0', client: 'player', geo: { latitude: 1, name: 'here' }, apiKeyId: 'k' };
let turned = 0;
const now = (): number => Date.now() + turned;

let server: TestNats;
const connections: NatsConnection[] = [];
const stores: SessionStore[] = [];
const open = async (lifetimeMs = LIFETIME_MS): Promise<SessionStore> => {
  const nats = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  connections.push(nats);
  const store = await jetStreamSessions({ nats, log, now, replicas: 1, lifetimeMs, flushEveryMs: 50 });
  stores.push(store);
  return store;
};

beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());
beforeEach(() => {
  turned = 0;
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const nats of connections.splice(0)) await nats.close();
});

let count = 0;
const newKey = (): SessionKey => keyOfToken(`token ${(count += 1)}`);

const pairs: Record<string, () => Promise<[SessionStore, SessionStore]>> = {
  JetStream: async () => [await open(), await open()],
  'in memory': async () => {
    const shared = new Map<SessionKey, SessionRecord>();
    return [inMemorySessions({ now, lifetimeMs: LIFETIME_MS, shared }), inMemorySessions({ now, lifetimeMs: LIFETIME_MS, shared })];
  },
};

describe.each(Object.entries(pairs))('sessions on two gateways, %s', (_, pair) => {
  it('are found by the other at once, with everything that they remember', async () => {
    const [left, right] = await pair();
    const key = newKey();
    const opened = await left.open(key, ada);
    expect(opened).toMatchObject(ada);
    expect(await right.find(key)).toEqual(opened);
    expect(await right.find(newKey())).toBeUndefined();
  });

  it('end on the other within a second', async () => {
    const [left, right] = await pair();
    const key = newKey();
    await left.open(key, ada);
    await right.find(key);
    expect(await left.end(key)).toBe(true);
    await vi.waitFor(() => expect(right.peek(key)).toBeUndefined(), { timeout: 20_000, interval: 5 });
    expect(await right.find(key)).toBeUndefined();
    expect(await right.end(key)).toBe(false);
  });

  it('are remembered by their version once they are over', async () => {
    const [left, right] = await pair();
    const [ended, old] = [newKey(), newKey()];
    for (const key of [ended, old]) await left.open(key, ada);
    await left.end(ended);
    turned = LIFETIME_MS * 2;
    expect([left.versionOf(ended), left.versionOf(old), left.versionOf(newKey())]).toEqual(['6.0.0', '6.0.0', undefined]);
    expect(left.peek(old)).toBeUndefined();
    await right.find(old);
    expect(right.versionOf(old)).toBe('6.0.0');
  });

  it('are over after their lifetime, and live on by use', async () => {
    const [left] = await pair();
    const key = newKey();
    const { expiresAtMs } = await left.open(key, ada);
    turned = LIFETIME_MS / 20;
    expect(left.extend(key)?.expiresAtMs).toBe(expiresAtMs);
    turned = LIFETIME_MS / 5;
    expect(left.extend(key)?.expiresAtMs).toBeGreaterThan(expiresAtMs ?? 0);
    turned = LIFETIME_MS * 1.1;
    expect(left.peek(key)).toBeDefined();
    turned = LIFETIME_MS * 1.3;
    expect(left.peek(key)).toBeUndefined();
    expect(await left.find(key)).toBeUndefined();
    expect(left.extend(key)).toBeUndefined();
  });

  it('change their version for everybody', async () => {
    const [left, right] = await pair();
    const key = newKey();
    await left.open(key, ada);
    await right.find(key);
    expect((await left.setVersion(key, '8.0.0'))?.version).toBe('8.0.0');
    await vi.waitFor(() => expect(right.peek(key)?.version).toBe('8.0.0'), { timeout: 20_000, interval: 5 });
    expect(await left.setVersion(newKey(), '8.0.0')).toBeUndefined();
  });
});

describe('sessions in JetStream', () => {
  it('write an extension behind the request, and tell the other gateway', async () => {
    const [left, right] = [await open(), await open()];
    const key = newKey();
    await left.open(key, ada);
    const before = (await right.find(key))?.expiresAtMs ?? 0;
    turned = LIFETIME_MS / 5;
    left.extend(key);
    await vi.waitFor(() => expect(right.peek(key)?.expiresAtMs).toBeGreaterThan(before), { timeout: 20_000, interval: 5 });
  });

  it('do not come back to life by an extension that was still waiting', async () => {
    const [left, right] = [await open(), await open()];
    const key = newKey();
    await left.open(key, ada);
    await right.find(key);
    turned = LIFETIME_MS / 5;
    left.extend(key);
    await right.end(key);
    await delay(300);
    expect(left.peek(key)).toBeUndefined();
    expect(await right.find(key)).toBeUndefined();
  });

  it('make an implicit session once, whichever gateway is asked', async () => {
    const [left, right] = [await open(), await open()];
    const key = keyOfImplicit(userId.parse(1), 'some-key');
    left.openBehind(key, { ...ada, client: 'left' });
    right.openBehind(key, { ...ada, client: 'right' });
    await delay(300);
    expect(left.peek(key)?.client).toBe(right.peek(key)?.client);
    expect((await (await open()).find(key))?.client).toBe(left.peek(key)?.client);
  });

  it('write what is waiting when they are closed', async () => {
    const [left, right] = [await open(), await open()];
    const key = keyOfImplicit(userId.parse(2), 'another-key');
    left.openBehind(key, ada);
    await left.close();
    expect(await right.find(key)).toMatchObject(ada);
  });

  it('go on from memory while the server is gone, say so when it is needed, and write what waited once it is back', async () => {
    const left = await open();
    const key = newKey();
    const before = (await left.open(key, ada)).expiresAtMs ?? 0;
    await server.kill();
    turned = LIFETIME_MS / 5;
    expect(left.extend(key)?.expiresAtMs).toBeGreaterThan(before);
    await expect(left.open(newKey(), ada)).rejects.toMatchObject({ code: 'unavailable' });
    await server.restart();
    const right = await open();
    await vi.waitFor(async () => expect((await right.find(key))?.expiresAtMs).toBeGreaterThan(before), { timeout: 20_000, interval: 100 });
  });

  it('survive a crash of the server, and are followed again soon after', async () => {
    const [left, right] = [await open(), await open()];
    const [kept, ended] = [newKey(), newKey()];
    await left.open(kept, ada);
    await left.open(ended, ada);
    await right.find(ended);
    await server.crashAndRestart();
    await vi.waitFor(async () => expect(await left.end(ended)).toBe(true), { timeout: 20_000, interval: 100 });
    await vi.waitFor(() => expect(right.peek(ended)).toBeUndefined(), { timeout: 20_000, interval: 20 });
    expect(await right.find(kept)).toMatchObject(ada);
  });

  it('take another lifetime from the settings of the next start, and last for ever with 0', async () => {
    const key = newKey();
    await (await open(30_000)).open(key, ada);
    const endless = await open(0);
    const other = newKey();
    expect((await endless.open(other, ada)).expiresAtMs).toBeNull();
    turned = 1e12;
    expect(endless.extend(other)).toMatchObject(ada);
    expect(await endless.find(key)).toBeUndefined();
  });
});
