import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { jetStreamPlaying } from './playing-session-store.adapter.js';
import { inMemoryPlaying } from '../../../test/fakes/in-memory-stores.js';
import { MAX_CLIENTS, PlayingSessions, type PlayingSessionStore } from './playing-session-store.js';
import type { PlayingSession } from './playing-session.js';

const log = pino({ level: 'silent' });
const HOUR_MS = 3_600_000;
let turned = 0;
const now = (): number => Date.now() + turned;

let server: TestNats;
const connections: NatsConnection[] = [];
const stores: PlayingSessionStore[] = [];
const open = async (): Promise<PlayingSessionStore> => {
  const nats = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  connections.push(nats);
  const store = await jetStreamPlaying({ nats, log, now, replicas: 1 });
  stores.push(store);
  return store;
};

beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());
afterEach(async () => {
  turned = 0;
  for (const store of stores.splice(0)) await store.close();
  for (const nats of connections.splice(0)) await nats.close();
});

let users = 0;
const newUser = (): number => (users += 1);
const session = (userId: number, client: string, more: Partial<PlayingSession> = {}): PlayingSession => ({
  userId,
  client,
  objectType: 'song',
  objectId: 7,
  durationMs: 200_000,
  state: 'playing',
  positionMs: 0,
  atMs: now(),
  rate: 1,
  startedAtMs: now(),
  heardMs: 0,
  isUncounted: false,
  isReported: true,
  ...more,
});
const say = (store: PlayingSessionStore, one: PlayingSession): Promise<void> => store.change(one, async () => one);

const pairs: Record<string, () => Promise<[PlayingSessionStore, PlayingSessionStore]>> = {
  JetStream: async () => [await open(), await open()],
  'in memory': async () => {
    const shared = new PlayingSessions();
    return [inMemoryPlaying(now, shared), inMemoryPlaying(now, shared)];
  },
};

describe.each(Object.entries(pairs))('what two gateways know of players, %s', (_, pair) => {
  it('is visible at once on the gateway that stored it, and soon on the other', async () => {
    const [left, right] = await pair();
    const userId = newUser();
    const web = session(userId, 'web / 1 ü');
    expect([left.of(web), left.isReporting(web)]).toEqual([undefined, false]);
    await say(left, web);
    expect([left.of(web), left.isReporting(web), left.all(userId)]).toEqual([web, true, [web]]);
    await vi.waitFor(() => expect(right.of(web)).toEqual(web), 20_000);
    expect(right.all()).toContainEqual(web);
    expect(right.all(newUser())).toEqual([]);
  });

  it('applies concurrent changes one after the other', async () => {
    const [left, right] = await pair();
    const player = session(newUser(), 'web');
    const add = (store: PlayingSessionStore): Promise<void> =>
      store.change(player, async (known) => session(player.userId, 'web', { heardMs: (known?.heardMs ?? 0) + 1 }));
    // Six tries are enough for two gateways, not for any crowd: a client speaks to one at a time.
    for (let round = 0; round < 10; round += 1) await Promise.all([add(left), add(right)]);
    await vi.waitFor(() => expect([left.of(player)?.heardMs, right.of(player)?.heardMs]).toEqual([20, 20]), 20_000);
  });

  it('keeps a session when the change is undefined or fails', async () => {
    const [left] = await pair();
    const web = session(newUser(), 'web');
    await say(left, web);
    await left.change(web, async () => undefined);
    await expect(left.change(web, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(left.of(web)).toEqual(web);
  });

  it('keeps the latest clients of an account, up to the maximum', async () => {
    const [left, right] = await pair();
    const userId = newUser();
    for (let n = 0; n <= MAX_CLIENTS; n += 1) await say(left, session(userId, `client ${n}`, { atMs: 1000 + n }));
    await vi.waitFor(() => {
      for (const store of [left, right]) {
        expect(store.all(userId)).toHaveLength(MAX_CLIENTS);
        expect(store.of({ userId, client: 'client 0' })).toBeUndefined();
      }
    }, 20_000);
  });

  it('stops counting a client as reporting after an hour of silence', async () => {
    const [left] = await pair();
    const web = session(newUser(), 'web');
    await say(left, web);
    turned = HOUR_MS + 1;
    expect(left.isReporting(web)).toBe(false);
    await left.change(web, async () => session(web.userId, 'web'));
    expect(left.isReporting(web)).toBe(true);
  });
});

describe('the JetStream bucket of sessions', () => {
  it('restores sessions after a gateway restart', async () => {
    const web = session(newUser(), 'web');
    await say(await open(), web);
    const later = await open();
    await vi.waitFor(() => expect(later.of(web)).toEqual(web), 20_000);
  });

  it('accepts a change by a gateway that has not received the entry yet', async () => {
    const [left, right] = [await open(), await open()];
    const web = session(newUser(), 'web', { heardMs: 5 });
    await say(left, web);
    let found: PlayingSession | undefined;
    await right.change(web, async (known) => {
      found = known;
      return undefined;
    });
    expect(found).toEqual(web);
  });
});
