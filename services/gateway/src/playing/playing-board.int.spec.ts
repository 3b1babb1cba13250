import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { jetStreamPlaying } from './playing-board.adapter.js';
import { inMemoryPlaying, MOST_CLIENTS, PlayingSessions, type PlayingBoard } from './playing-board.js';
import type { PlayingSession } from './playing-session.js';

const log = pino({ level: 'silent' });
const HOUR_MS = 3_600_000;
let turned = 0;
const now = (): number => Date.now() + turned;

let server: TestNats;
const connections: NatsConnection[] = [];
const boards: PlayingBoard[] = [];
const open = async (): Promise<PlayingBoard> => {
  const nats = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  connections.push(nats);
  const board = await jetStreamPlaying({ nats, log, now, replicas: 1 });
  boards.push(board);
  return board;
};

beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());
afterEach(async () => {
  turned = 0;
  for (const board of boards.splice(0)) await board.close();
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
const say = (board: PlayingBoard, one: PlayingSession): Promise<void> => board.change(one, async () => one);

const pairs: Record<string, () => Promise<[PlayingBoard, PlayingBoard]>> = {
  JetStream: async () => [await open(), await open()],
  'in memory': async () => {
    const shared = new PlayingSessions();
    return [inMemoryPlaying(now, shared), inMemoryPlaying(now, shared)];
  },
};

describe.each(Object.entries(pairs))('what two gateways know of players, %s', (_, pair) => {
  it('is the same at once on the one that was told, and soon on the other', async () => {
    const [left, right] = await pair();
    const userId = newUser();
    const web = session(userId, 'web / 1 ü');
    expect([left.of(web), left.isTold(web)]).toEqual([undefined, false]);
    await say(left, web);
    expect([left.of(web), left.isTold(web), left.all(userId)]).toEqual([web, true, [web]]);
    await vi.waitFor(() => expect(right.of(web)).toEqual(web), 20_000);
    expect(right.all()).toContainEqual(web);
    expect(right.all(newUser())).toEqual([]);
  });

  it('changes by one after the other, however near together they come', async () => {
    const [left, right] = await pair();
    const player = session(newUser(), 'web');
    const add = (board: PlayingBoard): Promise<void> =>
      board.change(player, async (known) => session(player.userId, 'web', { heardMs: (known?.heardMs ?? 0) + 1 }));
    // Six tries are enough for two gateways, not for any crowd: a client speaks to one at a time.
    for (let round = 0; round < 10; round += 1) await Promise.all([add(left), add(right)]);
    await vi.waitFor(() => expect([left.of(player)?.heardMs, right.of(player)?.heardMs]).toEqual([20, 20]), 20_000);
  });

  it('stays when there is nothing to change, and when the change fails', async () => {
    const [left] = await pair();
    const web = session(newUser(), 'web');
    await say(left, web);
    await left.change(web, async () => undefined);
    await expect(left.change(web, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(left.of(web)).toEqual(web);
  });

  it('is of so many clients of one account and no more, the latest', async () => {
    const [left, right] = await pair();
    const userId = newUser();
    for (let n = 0; n <= MOST_CLIENTS; n += 1) await say(left, session(userId, `client ${n}`, { atMs: 1000 + n }));
    await vi.waitFor(() => {
      for (const board of [left, right]) {
        expect(board.all(userId)).toHaveLength(MOST_CLIENTS);
        expect(board.of({ userId, client: 'client 0' })).toBeUndefined();
      }
    }, 20_000);
  });

  it('is forgotten as something said when nothing comes any more', async () => {
    const [left] = await pair();
    const web = session(newUser(), 'web');
    await say(left, web);
    turned = HOUR_MS + 1;
    expect(left.isTold(web)).toBe(false);
    await left.change(web, async () => session(web.userId, 'web'));
    expect(left.isTold(web)).toBe(true);
  });
});

describe('what JetStream keeps', () => {
  it('is there after a gateway has started anew', async () => {
    const web = session(newUser(), 'web');
    await say(await open(), web);
    const later = await open();
    await vi.waitFor(() => expect(later.of(web)).toEqual(web), 20_000);
  });

  it('can be changed by who has not heard of it yet', async () => {
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
