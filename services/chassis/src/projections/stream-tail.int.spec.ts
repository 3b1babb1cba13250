import {
  catalogRemoved,
  defineEvent,
  folderDiscovered,
  passedSubject,
  projectedSubject,
  readersWaitSubject,
  playlistDeleted,
  type CatalogId,
  type DomainEvent,
  type FolderId,
  type PassedNotice,
  type ProjectedNotice,
  type ReadersWaitNotice,
  type PlaylistId,
} from '@continuo/contracts';
import { ownTestPostgres, testNats, type OwnTestPostgres, type TestNats } from '@continuo/local-servers';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { ensureEventStreams } from '../event-store/streams.js';
import { createMetrics } from '../metrics.js';
import { openDatabase } from '../persistence/database.js';
import { poll } from '../retry.js';
import { eventBatches, type EventBatchOptions } from './batch-source.js';
import { checkpointsOf } from './checkpoints.js';
import { rawQuery, type Projection } from './projection.js';
import { prepareChassisTables, startProjections } from './start.js';

const STREAM = 'EV_LIBRARY';
const meta = { actor: 'system', correlationId: 'c', causationId: 'c', at: 1 };

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let store: JetStreamEventStore;
let next = 0;

const append = async (aggregate: string, event: DomainEvent): Promise<number> => {
  next += 1;
  return (await store.append([{ context: 'library', aggregate, id: next, expectedPosition: 0, events: [event] }], meta)).position;
};
const folder = (name = 'p'): Promise<number> =>
  append('folder', folderDiscovered({ folderId: next as FolderId, catalogId: 1 as CatalogId, path: name, parentId: null, name }));
const playlist = (): Promise<number> => append('playlist', playlistDeleted({ playlistId: next as PlaylistId }));

const consumers = async (): Promise<number> => (await manager.streams.info(STREAM)).state.consumer_count;
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const held = await poll(async () => (await condition()) || undefined, { everyMs: 20, withinMs: 15_000 });
  if (!held) throw new Error('the condition did not become true in time');
};

beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());
beforeEach(async () => {
  nats = await connect({ servers: server.url });
  manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, ['library'], 1);
  store = new JetStreamEventStore(nats, manager);
});
afterEach(async () => {
  await manager.streams.delete(STREAM);
  await nats.close();
});

describe('readers of a stream in one process', () => {
  const reading = new Set<{ readonly ending: AbortController; readonly over: Promise<void> }>();
  afterEach(async () => {
    for (const { ending } of reading) ending.abort();
    await Promise.all([...reading].map(({ over }) => over));
    reading.clear();
  });

  /** Reads on and notes positions; each batch waits for the gate. */
  const read = (after: number, options: Omit<EventBatchOptions, 'signal'> = {}, gate: () => Promise<void> = () => Promise.resolve()) => {
    const ending = new AbortController();
    const reader = { positions: [] as number[], error: undefined as unknown };
    const follow = async (): Promise<void> => {
      for await (const { events } of eventBatches(nats, STREAM, after, { ...options, signal: ending.signal })) {
        await gate();
        reader.positions.push(...events.map(({ position }) => position));
      }
    };
    const over = follow().catch((error: unknown) => {
      reader.error = error;
    });
    reading.add({ ending, over });
    return reader;
  };

  it('share one consumer, each from its own position and with the events that it handles', async () => {
    await folder();
    await playlist();
    const all = read(0);
    await until(() => all.positions.length === 2);
    const passed: number[] = [];
    const late = read(1);
    const lists = read(0, { handles: new Set([playlistDeleted.type]), onPassed: (position) => passed.push(position) });
    await until(() => late.positions.length === 1 && lists.positions.length === 1);
    await playlist();
    // What is passed over together with an event belongs to its batch, and is not told apart.
    await until(() => lists.positions.length === 2);
    await folder();
    await until(() => all.positions.length === 4 && late.positions.length === 3 && passed.includes(4));
    expect({ all: all.positions, late: late.positions, lists: lists.positions }).toEqual({
      all: [1, 2, 3, 4],
      late: [2, 3, 4],
      lists: [2, 3],
    });
    expect(await consumers()).toBe(1);
  });

  it('wait for none that is slow, which gets everything all the same', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = read(0, {}, () => gate.promise);
    const quick = read(0, { handles: new Set([playlistDeleted.type]) });
    await folder();
    const name = 'x'.repeat(200_000);
    for (let n = 0; n < 120; n += 1) await folder(name);
    const last = await playlist();
    await until(() => quick.positions.length === 1);
    expect(slow.positions).toEqual([]);
    gate.resolve();
    await until(() => slow.positions.at(-1) === last);
    expect(slow.positions).toEqual(Array.from({ length: last }, (_, n) => n + 1));
    await folder();
    await until(() => slow.positions.at(-1) === last + 1);
    await until(async () => (await consumers()) === 1);
  });

  it('stop before an event of a newer release, but for those that leave it out', async () => {
    const tables = read(0, { handles: new Set([playlistDeleted.type]) });
    const notices = read(0, { newer: 'leave-out' });
    await playlist();
    await append('playlist', defineEvent('PlaylistOfTheFuture', z.object({}))({}));
    await playlist();
    await until(() => notices.positions.length === 2 && tables.error !== undefined);
    expect(String(tables.error)).toContain('PlaylistOfTheFuture');
    expect({ tables: tables.positions, notices: notices.positions }).toEqual({ tables: [1], notices: [1, 3] });
  });
});

describe('a projection that handles little of its stream', () => {
  let postgres: OwnTestPostgres;
  let db: Kysely<unknown>;
  const projection = (name: string, handles: string[]): Projection => ({
    name,
    version: 1,
    context: 'library',
    publishedSchema: name.replaceAll('-', '_'),
    publishes: ['seen'],
    ddl: ['create table seen (position bigint primary key)'],
    handles,
    project: (events, handle) =>
      events.map(({ position }) => rawQuery(sql`insert into seen values (${position})`, handle as unknown as Kysely<never>)),
  });
  const lists = projection('spec-lists', [playlistDeleted.type]);
  const checkpoint = async (name: string): Promise<number> => (await checkpointsOf(db, name))[0]?.position ?? 0;
  const start = (projections: readonly Projection[]) =>
    startProjections(projections, { db, nats, manager, metrics: createMetrics('spec'), log: pino({ level: 'silent' }) });

  beforeAll(async () => {
    postgres = await ownTestPostgres();
    db = openDatabase({ url: postgres.url, poolSize: 8, applicationName: 'spec', isPipelined: true });
    await prepareChassisTables(db);
  });
  afterAll(async () => {
    await db.destroy();
    await postgres.stop();
  });
  beforeEach(() => sql`truncate chassis.projection_checkpoint`.execute(db));
  afterEach(() => sql`drop schema if exists spec_lists, spec_folders, spec_lists_v1_g1, spec_folders_v1_g1 cascade`.execute(db));

  it('says at once that the rest concerns it not, and moves its checkpoint some time later', async () => {
    const running = start([lists, projection('spec-folders', [folderDiscovered.type])]);
    await until(() => running.status().every(({ role }) => role === 'owner'));
    const notices: PassedNotice[] = [];
    nats.subscribe(passedSubject(STREAM), { callback: (_, message) => void notices.push(message.json()) });
    await nats.flush();
    await playlist();
    await folder();
    const last = await append('catalog', catalogRemoved({ catalogId: 1 as CatalogId, path: '/p' }));
    const passedLast = () => new Set(notices.flatMap(({ position, projections }) => (position === last ? projections : [])));
    await until(() => passedLast().size === 2);
    await until(async () => (await checkpoint('spec-lists')) === last && (await checkpoint('spec-folders')) === last);
    const seen = await sql<{ position: number }>`select position from spec_lists.seen`.execute(db);
    expect(seen.rows).toEqual([{ position: 1 }]);
    expect(running.status()).toMatchObject([
      { position: last, pendingEvents: 0 },
      { position: last, pendingEvents: 0 },
    ]);
    await running.stop();
  });

  it('gathers events between commits while nobody waits for them, and does not keep a waiting reader', async () => {
    const running = start([lists]);
    await until(() => running.status()[0]?.role === 'owner');
    const commits: number[] = [];
    nats.subscribe(projectedSubject('spec-lists'), {
      callback: (_, message) => void commits.push(message.json<ProjectedNotice>().position),
    });
    await nats.flush();
    let last = 0;
    for (let n = 0; n < 20; n += 1) last = await playlist();
    await until(() => commits.at(-1) === last);
    expect(commits.length).toBeLessThan(10);
    const notice: ReadersWaitNotice = { stream: STREAM, seesCheckpointsOnly: true };
    nats.publish(readersWaitSubject(STREAM), JSON.stringify(notice));
    await nats.flush();
    commits.length = 0;
    for (let n = 0; n < 5; n += 1) {
      const position = await playlist();
      await until(() => commits.includes(position));
      const over = await folder();
      await until(async () => (await checkpoint('spec-lists')) === over);
    }
    expect(commits).toHaveLength(5);
    await running.stop();
  });

  it('leaves its checkpoint at the end of what it has passed when it stops', async () => {
    const running = start([lists]);
    await until(() => running.status()[0]?.role === 'owner');
    const passed = Promise.withResolvers<void>();
    nats.subscribe(passedSubject(STREAM), { callback: () => passed.resolve() });
    await nats.flush();
    const last = await folder();
    await passed.promise;
    await running.stop();
    expect(await checkpoint('spec-lists')).toBe(last);
  });

  it('notices another owner although it has nothing to commit', async () => {
    const running = start([lists]);
    await until(() => running.status()[0]?.role === 'owner');
    await sql`update chassis.projection_checkpoint set fence = fence + 1 where name = 'spec-lists'`.execute(db);
    const { fence: taken = 0 } = (await checkpointsOf(db, 'spec-lists'))[0] ?? {};
    await folder();
    // It takes the projection over anew: its lock is its own.
    await until(async () => ((await checkpointsOf(db, 'spec-lists'))[0]?.fence ?? 0) > taken);
    await running.stop();
  });
});
