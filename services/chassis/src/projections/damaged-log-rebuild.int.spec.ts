import { folderDiscovered, type CatalogId, type FolderEvent, type FolderId } from '@continuo/contracts';
import { flipBit, cutBlock, ownTestPostgres, testNats, type OwnTestPostgres, type TestNats } from '@continuo/local-servers';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { acceptLoss, ensureEventStreams, streamState } from '../event-store/streams.js';
import { createMetrics } from '../metrics.js';
import { openDatabase } from '../persistence/database.js';
import type { Projection } from './projection.js';
import { rebuildSubject, type RebuildReport, type RebuildRequest } from './rebuild.js';
import { prepareChassisTables, startProjections, type RunningProjections } from './start.js';

interface FoldersTable {
  folder: { id: number; path: string };
}

const folders = (version: number): Projection<FoldersTable> => ({
  name: 'spec-folders',
  version,
  context: 'library',
  publishedSchema: 'spec',
  publishes: ['folder'],
  ddl: ['create table folder (id int primary key, path text not null)'],
  project: (events, db) =>
    (events as readonly FolderEvent[]).flatMap((event) =>
      event.type === 'FolderDiscovered' ? [db.insertInto('folder').values({ id: event.data.folderId, path: event.data.path })] : [],
    ),
});

let server: TestNats;
let postgres: OwnTestPostgres;
let nats: NatsConnection;
let manager: JetStreamManager;
let db: Kysely<unknown>;
let running: RunningProjections | undefined;

const begin = (version = 1): RunningProjections => {
  running = startProjections([folders(version)], { db, nats, manager, metrics: createMetrics('spec'), log: pino({ level: 'silent' }) });
  return running;
};
const discover = async (id: number): Promise<void> => {
  const event = folderDiscovered({ folderId: id as FolderId, catalogId: 1 as CatalogId, path: `path-${id}-`, parentId: null, name: 'p' });
  const part = { context: 'library', aggregate: 'folder', id, expectedPosition: 0, events: [event] } as const;
  await new JetStreamEventStore(nats, manager).append([part], { actor: 'system', correlationId: 'c', causationId: 'c', at: 1 });
};
const count = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from spec.folder`.execute(db);
  return Number(rows[0]?.count);
};
const FOLDERS = 60;

/** Asks as the command line does. */
const rebuild = async (request: RebuildRequest): Promise<{ ok: true; report: RebuildReport } | { ok: false; message: string }> =>
  (await nats.request(rebuildSubject('spec-folders'), JSON.stringify(request), { timeout: 20_000 })).json();

/** The server goes down, and comes back with the damage. */
const damaged = async (end: 'stop' | 'kill', damage: (storeDir: string) => Promise<void>): Promise<void> => {
  await running?.stop();
  await server.restartAfter(end, damage);
  await expect.poll(() => manager.streams.info('EV_LIBRARY').then(Boolean, () => false), { timeout: 10_000 }).toBe(true);
};

beforeEach(async () => {
  [server, postgres] = await Promise.all([testNats(), ownTestPostgres()]);
  nats = await connect({ servers: server.url, noAsyncTraces: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, ['library'], 1);
  db = openDatabase({ url: postgres.url, poolSize: 8, applicationName: 'spec' });
  await prepareChassisTables(db);
  for (let id = 1; id <= FOLDERS; id += 1) await discover(id);
  begin();
  await vi.waitUntil(async () => (await count().catch(() => 0)) === FOLDERS, { timeout: 20_000, interval: 50 });
});

afterEach(async () => {
  await running?.stop();
  await nats.close();
  await db.destroy();
  await postgres.stop();
  await server.stop();
});

describe('a rebuild from a log that is damaged', () => {
  it('in the middle stops at the hole and keeps the live tables; with the loss accepted it tells what is lost, and asks once more', async () => {
    await damaged('stop', (storeDir) => flipBit(storeDir, 'EV_LIBRARY', 'path-30-'));
    begin();
    await expect.poll(() => running?.status()[0]?.role).toBe('owner');
    expect(await rebuild({ mode: 'replace' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/EV_LIBRARY is damaged: position 30 is missing/),
    });
    expect(await rebuild({ mode: 'replace', acceptLoss: true })).toMatchObject({ ok: false });
    expect(await count()).toBe(FOLDERS);
    await acceptLoss(manager, 'EV_LIBRARY', { gaps: [{ from: 30, to: 30 }], formerIncarnations: [] });
    expect(await rebuild({ mode: 'replace' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/folder has 60 rows and would have 59; the live tables are kept\. .*--accept-loss/),
    });
    expect(await count()).toBe(FOLDERS);
    expect(await rebuild({ mode: 'replace', acceptLoss: true })).toMatchObject({
      ok: true,
      report: { lost: [{ table: 'folder', live: 60, rebuilt: 59 }] },
    });
    expect(await count()).toBe(FOLDERS - 1);
  });

  it('at its end keeps the live tables', async () => {
    await damaged('kill', (storeDir) => cutBlock(storeDir, 'EV_LIBRARY'));
    begin();
    await expect.poll(() => running?.status()[0]?.role, { timeout: 10_000 }).toBe('refused');
    expect(await rebuild({ mode: 'replace' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/folder has 60 rows and would have [23]\d;/),
    });
    expect(await count()).toBe(FOLDERS);
    expect(await rebuild({ mode: 'replace', acceptLoss: true })).toMatchObject({ ok: true });
    expect(await count()).toBeLessThan(FOLDERS / 2 + 2);
  });

  it('goes past a loss at the end that was accepted', async () => {
    await damaged('stop', (storeDir) => cutBlock(storeDir, 'EV_LIBRARY'));
    const { state } = await manager.streams.info('EV_LIBRARY', { deleted_details: true });
    expect(state.last_seq).toBe(FOLDERS);
    const gap = { from: Math.min(...(state.deleted ?? [])), to: FOLDERS };
    await acceptLoss(manager, 'EV_LIBRARY', { gaps: [gap], formerIncarnations: [] });
    begin();
    await expect.poll(() => running?.status()[0]?.role, { timeout: 10_000 }).toBe('owner');
    expect(await rebuild({ mode: 'replace', acceptLoss: true })).toMatchObject({
      ok: true,
      report: { lost: [{ live: 60, rebuilt: gap.from - 1 }] },
    });
  });
});

it('tables are rebuilt, and go on, where the last event is there and cannot be read', async () => {
  await damaged('stop', (storeDir) => flipBit(storeDir, 'EV_LIBRARY', `path-${FOLDERS}-`));
  await acceptLoss(manager, 'EV_LIBRARY', { gaps: [{ from: FOLDERS, to: FOLDERS }], formerIncarnations: [] });
  begin();
  await expect.poll(() => running?.status()[0]?.role, { timeout: 10_000 }).toBe('owner');
  expect(await rebuild({ mode: 'replace', acceptLoss: true })).toMatchObject({ ok: true, report: { lost: [{ live: 60, rebuilt: 59 }] } });
  for (const id of [FOLDERS + 1, FOLDERS + 2]) await discover(id);
  await expect.poll(count, { timeout: 10_000 }).toBe(FOLDERS + 1);
  expect(await rebuild({ mode: 'replace' })).toMatchObject({ ok: true, report: { lost: [] } });
  expect(await count()).toBe(FOLDERS + 1);
});

describe('tables of a newer version', () => {
  it.each([
    ['in the middle', 'stop', (storeDir: string) => flipBit(storeDir, 'EV_LIBRARY', 'path-30-')],
    ['at its end', 'kill', (storeDir: string) => cutBlock(storeDir, 'EV_LIBRARY')],
  ] as const)(
    'do not replace those of an older one by themselves from a log that is damaged %s, before that loss is accepted',
    async (_, end, damage) => {
      await damaged(end, damage);
      begin(2);
      await expect
        .poll(() => running?.status()[0]?.fault, { timeout: 10_000 })
        .toMatch(/EV_LIBRARY is damaged|hold what EV_LIBRARY does not have any more/);
      expect([await count(), running?.status()[0]?.isCurrent]).toEqual([FOLDERS, false]);
      const { epoch, lastPosition } = await streamState(manager, 'EV_LIBRARY');
      const loss =
        lastPosition < FOLDERS ? { gaps: [], formerIncarnations: [epoch] } : { gaps: [{ from: 30, to: 30 }], formerIncarnations: [] };
      await acceptLoss(manager, 'EV_LIBRARY', loss);
      if (loss.formerIncarnations.length > 0) {
        // Another life of the log is seen by those that start afterwards.
        await running?.stop();
        begin(2);
      }
      await expect.poll(() => running?.status()[0]?.isCurrent, { timeout: 15_000 }).toBe(true);
      expect(await count()).toBeLessThan(FOLDERS);
    },
  );
});
