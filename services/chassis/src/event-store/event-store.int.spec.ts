import { folderDiscovered, playsCleared, tracksRemoved, userId, type CatalogId, type FolderId, type SongId } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { InMemoryEventStore } from '../../test/event-store/in-memory-event-store.js';
import { JetStreamEventStore } from './adapters/jetstream-event-store.js';
import { ConcurrencyConflict, type AppendMeta, type EventStore } from './event-store.js';
import { ensureEventStreams } from './streams.js';

const meta: AppendMeta = { actor: 'system', correlationId: 'c', causationId: 'c', at: 1000 };
const discovered = (n: number) =>
  folderDiscovered({
    folderId: n as FolderId,
    catalogId: 1 as CatalogId,
    path: `p${n}`,
    parentId: null,
    name: `p${n}`,
  });
const removed = (n: number, song: number) =>
  tracksRemoved({
    folderId: n as FolderId,
    catalogId: 1 as CatalogId,
    songs: [{ songId: song as SongId, fileName: `${song}.mp3` }],
  });
const part = (id: number, expectedPosition: number, ...events: ReturnType<typeof discovered | typeof removed>[]) =>
  ({ context: 'library', aggregate: 'folder', id, expectedPosition, events }) as const;

/** Contract test of every adapter of the EventStore port. */
const contract = (name: string, open: () => EventStore): void => {
  describe(`event store contract: ${name}`, () => {
    it('gives back what was appended, in order and with its envelope', async () => {
      const store = open();
      await store.append([part(1, 0, discovered(1), removed(1, 7))], meta);
      const events = await store.read('library', 'folder', 1);
      expect(events.map((event) => event.type)).toEqual(['FolderDiscovered', 'TracksRemoved']);
      expect(events[0]).toMatchObject({
        actor: 'system',
        correlationId: 'c',
        at: 1000,
        v: 1,
        stream: 'EV_LIBRARY',
        data: { path: 'p1' },
      });
      expect(await store.read('library', 'folder', 1, events[0]?.position)).toHaveLength(1);
    });

    it('numbers the events of each aggregate on from what the caller has counted, and leaves them without numbers where nobody has', async () => {
      const store = open();
      const { position } = await store.append([part(70, 0, discovered(70), removed(70, 1)), part(71, 0, discovered(71))], meta);
      const second = (await store.read('library', 'folder', 70)).at(-1)?.position ?? 0;
      await store.append([{ ...part(70, second, removed(70, 2), removed(70, 3)), expectedNumber: 2 }], meta);
      await store.append([part(71, position, removed(71, 2))], meta);
      expect((await store.read('library', 'folder', 70)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
      expect((await store.read('library', 'folder', 71)).map(({ number }) => number)).toEqual([1, undefined]);
    });

    it('reads nothing for an aggregate without events', async () => {
      expect(await open().read('library', 'folder', 4_000_000)).toEqual([]);
    });

    it('knows the last position of an aggregate, where reads may come from a copy that is behind', async () => {
      const store = open();
      const { position } = await store.append([part(5_000_000, 0, discovered(5_000_000))], meta);
      if (!store.lastOf) return;
      expect(await store.lastOf('library', 'folder', 5_000_000)).toBe(position);
      expect(await store.lastOf('library', 'folder', 5_000_001)).toBe(0);
    });

    it('refuses an append on a stale position and writes none of its parts', async () => {
      const store = open();
      await store.append([part(20, 0, discovered(20))], meta);
      await expect(store.append([part(21, 0, discovered(21)), part(20, 0, removed(20, 1))], meta)).rejects.toBeInstanceOf(
        ConcurrencyConflict,
      );
      expect(await store.read('library', 'folder', 21)).toEqual([]);
      expect(await store.read('library', 'folder', 20)).toHaveLength(1);
    });

    it('lets exactly one of many writers win', async () => {
      const store = open();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => store.append([part(30, 0, removed(30, n + 1))], meta)),
      );
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
      expect(await store.read('library', 'folder', 30)).toHaveLength(1);
    });

    it('appends several aggregates together and tells the last position', async () => {
      const store = open();
      const { position } = await store.append([part(40, 0, discovered(40)), part(41, 0, discovered(41), removed(41, 2))], meta);
      expect((await store.read('library', 'folder', 41)).at(-1)?.position).toBe(position);
      expect(await store.lastPosition('library')).toBe(position);
    });

    it('reads aggregates longer than one page', async () => {
      const store = open();
      let expected = 0;
      for (let round = 0; round < 3; round += 1) {
        const events = Array.from({ length: 300 }, (_, n) => removed(50, round * 300 + n + 1));
        expected = (await store.append([part(50, expected, ...events)], meta)).position;
      }
      const events = await store.read('library', 'folder', 50);
      expect(events.map((event) => (event.data as { songs: { songId: number }[] }).songs[0]?.songId)).toEqual(
        Array.from({ length: 900 }, (_, n) => n + 1),
      );
    });

    it('gives the events of one command ids that a retry would repeat', async () => {
      const store = open();
      await store.append([part(60, 0, discovered(60))], { ...meta, commandId: 'cmd-60' });
      expect((await store.read('library', 'folder', 60))[0]?.id).toBe('cmd-60:0');
      await expect(store.append([part(60, 0, discovered(60))], { ...meta, commandId: 'cmd-60' })).rejects.toBeInstanceOf(
        ConcurrencyConflict,
      );
    });
  });
};

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let jetStream: EventStore;

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url, noAsyncTraces: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, ['library', 'playback'], 1);
  jetStream = new JetStreamEventStore(nats, manager);
});

afterAll(async () => {
  await nats.close();
  await server.stop();
});

const memory = new InMemoryEventStore();
contract('in memory', () => memory);
contract('JetStream', () => jetStream);

describe('a crowd', () => {
  it('of atomic batches is taken, though the server holds fifty open ones at most', async () => {
    const count = 300;
    const appends = Array.from({ length: count }, (_, n) =>
      jetStream.append([part(2000 + n, 0, discovered(2000 + n), removed(2000 + n, 1))], meta),
    );
    const positions = (await Promise.all(appends)).map(({ position }) => position);
    expect(new Set(positions).size).toBe(count);
  });
});

describe('appends of many that share batches', () => {
  const clear = (user: number) => ({
    context: 'playback' as const,
    aggregate: 'plays',
    id: user,
    events: [playsCleared({ userId: userId.parse(user) })],
  });

  it('are there once each, at the position that they were told', async () => {
    const appends = Array.from({ length: 400 }, async (_, n) => {
      const events = Array.from({ length: 1 + (n % 3) * (n % 5) }, () => clear(n + 1).events).flat();
      const { position } = await jetStream.append([{ ...clear(n + 1), expectedPosition: 0, events }], meta);
      const read = await jetStream.read('playback', 'plays', n + 1);
      expect([read.length, read.at(-1)?.position]).toEqual([events.length, position]);
      return position;
    });
    expect(new Set(await Promise.all(appends)).size).toBe(400);
  });

  it('of two replicas that write to the same aggregates are lost by nobody', async () => {
    const stores = [jetStream, new JetStreamEventStore(nats, manager)];
    const write = async (store: EventStore, user: number): Promise<void> => {
      for (let tries = 0; tries < 50; tries += 1) {
        const expectedPosition = (await store.read('playback', 'plays', user)).at(-1)?.position ?? 0;
        try {
          await store.append([{ ...clear(user), expectedPosition }], meta);
          return;
        } catch (error) {
          if (!(error instanceof ConcurrencyConflict)) throw error;
        }
      }
      throw new Error('fifty conflicts');
    };
    await Promise.all(stores.flatMap((store) => Array.from({ length: 300 }, (_, n) => write(store, 1001 + (n % 100)))));
    for (let user = 1001; user <= 1100; user += 1) expect(await jetStream.read('playback', 'plays', user)).toHaveLength(6);
  });
});

describe('an event that is larger than one may be', () => {
  it('is refused before it is sent', async () => {
    const large = part(
      900,
      0,
      tracksRemoved({
        folderId: 900 as FolderId,
        catalogId: 1 as CatalogId,
        songs: [{ songId: 1 as SongId, fileName: 'x'.repeat(600 * 1024) }],
      }),
    );
    await expect(jetStream.append([large], meta)).rejects.toMatchObject({ code: 'input.too-large' });
    expect(await jetStream.read('library', 'folder', 900)).toEqual([]);
  });
});

describe('an event log that is away', () => {
  // What is sent before the client is connected again is dropped by its next attempt to connect.
  afterEach(() => vi.waitFor(() => nats.rtt(), { timeout: 20_000 }));

  it('is reported as unavailable, by reads and by appends', async () => {
    const impatient = new JetStreamEventStore(nats, await jetstreamManager(nats, { timeout: 300 }), 300);
    await server.kill();
    await expect(impatient.append([part(90, 0, discovered(90))], meta)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(impatient.read('library', 'folder', 1)).rejects.toMatchObject({ code: 'unavailable' });
    await server.restart();
  });

  it('is reported as unavailable when it has lost a batch under way', async () => {
    const answer = { error: { err_code: 10_176, description: 'atomic publish batch is incomplete' } };
    const restarted = { request: () => Promise.resolve({ data: new Uint8Array(1), json: () => answer }) };
    const store = new JetStreamEventStore(restarted as unknown as NatsConnection, manager);
    await expect(store.append([part(91, 0, discovered(91), removed(91, 1))], meta)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('gets a batch again that it has dropped', async () => {
    let dropped = 0;
    const forgetful = {
      publish: nats.publish.bind(nats),
      request: async (...sent: Parameters<NatsConnection['request']>) => {
        const answer = { error: { err_code: 10_210, description: 'too many open batches' } };
        dropped += 1;
        return dropped <= 2 ? { data: new Uint8Array(1), json: () => answer } : nats.request(...sent);
      },
    };
    const store = new JetStreamEventStore(forgetful as unknown as NatsConnection, manager);
    await store.append([part(92, 0, discovered(92), removed(92, 1))], meta);
    expect(await jetStream.read('library', 'folder', 92)).toHaveLength(2);
  });
});
