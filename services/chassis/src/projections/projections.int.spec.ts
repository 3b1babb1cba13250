import {
  defineEvent,
  folderDiscovered,
  tracksRemoved,
  type CatalogId,
  type FolderEvent,
  type FolderId,
  type SongId,
} from '@continuo/contracts';
import { ownTestPostgres, testNats, type OwnTestPostgres, type TestNats } from '@continuo/local-servers';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { registerEvents, NewerEvent } from '../event-store/catalogue.js';
import { ensureEventStreams, streamState } from '../event-store/streams.js';
import { createMetrics } from '../metrics.js';
import { openDatabase } from '../persistence/database.js';
import { checkpointsOf, takeOverCheckpoint } from './checkpoints.js';
import { beginRebuild } from './generations.js';
import { projectEach, type EventHandlers, type Projection } from './projection.js';
import { ProjectionWorker } from './projection-worker.js';
import type { RunnerContext } from './projection-runner.js';
import { rebuildSubject } from './rebuild.js';
import { prepareChassisTables, startProjections } from './start.js';

interface FoldersTable {
  folder: { id: number; path: string; removals: number };
  removal: { folder_id: number };
  folders_when_derived: { count: number };
}

const nothing = (): never[] => [];

type Handlers = EventHandlers<FolderEvent, FoldersTable>;

const handlers = (version: number, removed: Handlers['TracksRemoved']): Handlers => ({
  FolderDiscovered: ({ data }, db) => [
    db.insertInto('folder').values({ id: data.folderId, path: `v${version}:${data.path}`, removals: 0 }),
  ],
  TracksRemoved: removed,
  TracksAdded: nothing,
  TracksChanged: nothing,
  TracksMovedIn: nothing,
  TracksMovedOut: nothing,
  FilesSkipped: nothing,
  SkippedFilesCleared: nothing,
  FolderSidecarsChanged: nothing,
  FolderVanished: nothing,
});

/** A small projection with an order-sensitive column: each removal must be counted exactly once, also when it is summed up in the end. */
const folders = (version: number): Projection<FoldersTable> => ({
  name: 'spec-folders',
  version,
  context: 'library',
  publishedSchema: 'spec',
  publishes: ['folder'],
  ddl: [
    'create table folder (id int primary key, path text not null, removals int not null default 0)',
    'create table removal (folder_id int not null)',
    'create table folders_when_indexed (count int not null)',
    'create table folders_when_derived (count int not null)',
  ],
  readerIndexes: [
    'create index if not exists folder_by_path on folder (path)',
    'insert into folders_when_indexed select count(*) from folder',
  ],
  ...projectEach<FolderEvent, FoldersTable>(
    handlers(version, ({ data }, db) => [
      db
        .updateTable('folder')
        .set({ removals: sql`removals + 1` })
        .where('id', '=', data.folderId),
    ]),
  ),
  filling: {
    project: projectEach<FolderEvent, FoldersTable>(
      handlers(version, ({ data }, db) => [db.insertInto('removal').values({ folder_id: data.folderId })]),
    ).project,
    derive: (db) => [
      db.updateTable('folder').set({ removals: sql`(select count(*) from removal r where r.folder_id = folder.id)` }),
      db.insertInto('folders_when_derived').expression(db.selectFrom('folder').select((eb) => eb.fn.countAll<number>().as('count'))),
    ],
  },
});

let server: TestNats;
let postgres: OwnTestPostgres;
let nats: NatsConnection;
let manager: JetStreamManager;
let db: Kysely<unknown>;
let store: JetStreamEventStore;
let nextFolder = 1;

const context = (): RunnerContext => ({
  db,
  nats,
  manager,
  metrics: createMetrics('spec'),
  log: pino({ level: 'silent' }),
});

const writeFolders = async (count: number): Promise<void> => {
  const meta = { actor: 'system', correlationId: 'c', causationId: 'c', at: 1 };
  for (let n = 0; n < count; n += 1) {
    const id = nextFolder as FolderId;
    nextFolder += 1;
    const events = [
      folderDiscovered({
        folderId: id,
        catalogId: 1 as CatalogId,
        path: `p${id}`,
        parentId: null,
        name: 'p',
      }),
      tracksRemoved({
        folderId: id,
        catalogId: 1 as CatalogId,
        songs: [{ songId: 1 as SongId, fileName: 'a' }],
      }),
    ];
    await store.append([{ context: 'library', aggregate: 'folder', id, expectedPosition: 0, events }], meta);
  }
};

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await condition().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the condition did not become true in time');
};

const rows = async (): Promise<{ count: number; removals: number; sample: string }> => {
  const found = await sql<{ count: number; removals: number; sample: string }>`
    select count(*) as count, coalesce(sum(removals), 0) as removals, coalesce(min(path), '') as sample from spec.folder`.execute(db);
  return found.rows[0] ?? { count: 0, removals: 0, sample: '' };
};

/** Whether the tables that readers see have their index, and how many rows they had when it was made, and when they were summed up. */
const indexed = async (): Promise<{ has: boolean; rows: number | undefined; derived: number | undefined }> => {
  const schema = (await checkpointsOf(db, 'spec-folders')).find((row) => row.state === 'live')?.physicalSchema ?? '';
  const [index, first, derived] = await Promise.all([
    sql`select 1 from pg_indexes where schemaname = ${schema} and indexname = 'folder_by_path'`.execute(db),
    sql<{ count: number }>`select min(count) as count from ${sql.id(schema)}.folders_when_indexed`.execute(db),
    sql<{ count: number }>`select min(count) as count from ${sql.id(schema)}.folders_when_derived`.execute(db),
  ]);
  return { has: index.rows.length === 1, rows: first.rows[0]?.count, derived: derived.rows[0]?.count };
};

const allProjected = (): Promise<void> =>
  until(async () => {
    const seen = await rows();
    return seen.count === nextFolder - 1 && seen.removals === nextFolder - 1;
  });

beforeAll(async () => {
  server = await testNats();
  postgres = await ownTestPostgres();
  nats = await connect({
    servers: server.url,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, ['library'], 1);
  db = openDatabase({ url: postgres.url, poolSize: 8, applicationName: 'spec', isPipelined: true });
  await prepareChassisTables(db);
  store = new JetStreamEventStore(nats, manager);
});

/** Other specs of the process must not know them. */
let forgetEvents = (): void => undefined;
afterAll(async () => {
  forgetEvents();
  await nats.close();
  await db.destroy();
  await postgres.stop();
  await server.stop();
});

describe('projections', () => {
  it('projects what was there before and what comes later', async () => {
    await writeFolders(20);
    const running = startProjections([folders(1)], context());
    await allProjected();
    await writeFolders(20);
    await allProjected();
    expect(running.status()[0]).toMatchObject({
      role: 'owner',
      position: (nextFolder - 1) * 2,
      pendingEvents: 0,
    });
    expect(await indexed()).toEqual({ has: true, rows: 0, derived: 0 });
    await running.stop();
  });

  it('tells the planner about tables that fill faster than Postgres looks at them', async () => {
    const running = startProjections([folders(1)], context());
    await writeFolders(500);
    await allProjected();
    const schema = (await checkpointsOf(db, 'spec-folders')).find((row) => row.state === 'live')?.physicalSchema ?? '';
    await until(async () => {
      const { rows: told } = await sql`
        select from pg_stat_user_tables where schemaname = ${schema} and relname = 'folder' and last_analyze is not null`.execute(db);
      return told.length === 1;
    });
    await running.stop();
  });

  it('lets one of two replicas own a projection and the other take over', async () => {
    const first = startProjections([folders(1)], context());
    await until(() => Promise.resolve(first.status()[0]?.role === 'owner'));
    const second = startProjections([folders(1)], context());
    await until(() => Promise.resolve(second.status()[0]?.role === 'standby'));
    await first.stop();
    await writeFolders(5);
    await allProjected();
    expect(second.status()[0]?.role).toBe('owner');
    await second.stop();
  });

  it('loses and doubles nothing when Postgres and NATS are killed in the middle', async () => {
    const running = startProjections([folders(1)], context());
    for (let round = 0; round < 3; round += 1) {
      await writeFolders(40);
      await Promise.all([postgres.crashAndRestart(), server.crashAndRestart()]);
      await until(async () => (await nats.rtt()) >= 0);
    }
    await allProjected();
    await running.stop();
  });

  it('goes on at once when NATS comes back, whatever the reader was doing', async () => {
    const running = startProjections([folders(1)], context());
    for (let round = 0; round < 4; round += 1) {
      await writeFolders(round % 2 === 0 ? 30 : 1);
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, round * 400));
      await server.restart();
      await until(async () => (await nats.rtt()) >= 0);
      await writeFolders(1);
      const wroteAt = Date.now();
      await allProjected();
      // The client's own recovery may rest for half a minute; readers of their own writes must not wait for that.
      expect(Date.now() - wroteAt).toBeLessThan(20_000);
    }
    await running.stop();
  });

  it('verifies by a rebuild beside the live tables that they are what the log says', async () => {
    const running = startProjections([folders(1)], context());
    // The rows may all be there before this owner listens to requests.
    await until(() => Promise.resolve(running.status()[0]?.role === 'owner'));
    await allProjected();
    const verify = async (): Promise<{ ok: boolean; report: { differing: string[] } }> =>
      (
        await nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode: 'verify' }), {
          timeout: 20_000,
        })
      ).json();
    expect(await verify()).toMatchObject({ ok: true, report: { differing: [] } });
    await sql`update spec.folder set removals = 5 where id = 3`.execute(db);
    expect(await verify()).toMatchObject({ ok: true, report: { differing: ['folder'] } });
    const replaced = await nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode: 'replace' }), { timeout: 20_000 });
    expect(replaced.json()).toMatchObject({ ok: true });
    expect((await rows()).removals).toBe(nextFolder - 1);
    await writeFolders(5);
    await allProjected();
    await running.stop();
  });

  it('goes on filling tables that were left with rows alone', async () => {
    const { epoch } = await streamState(manager, 'EV_LIBRARY');
    const left = await takeOverCheckpoint(db, await beginRebuild(db, folders(1), epoch), 'one that dies');
    const projection = folders(1) as Required<Projection>;
    const worker = new ProjectionWorker({ db, nats, metrics: createMetrics('spec') }, projection, left);
    await worker.fill(new AbortController().signal, 5, projection.filling);
    const running = startProjections([folders(1)], context());
    await until(() => Promise.resolve(running.status()[0]?.role === 'owner'));
    await allProjected();
    const answer = await nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode: 'replace' }), { timeout: 20_000 });
    expect(answer.json()).toMatchObject({ ok: true, report: { differing: [] } });
    expect((await checkpointsOf(db, 'spec-folders')).find(({ state }) => state === 'live')).toMatchObject({ generation: left.generation });
    expect((await indexed()).derived).toBe(nextFolder - 1);
    await running.stop();
  });

  it('can be rebuilt while its tables cannot go on', async () => {
    const live = (await checkpointsOf(db, 'spec-folders')).find((row) => row.state === 'live')?.physicalSchema ?? '';
    await sql`alter table ${sql.id(live)}.folder add constraint stuck check (id < ${sql.raw(String(nextFolder))})`.execute(db);
    const running = startProjections([folders(1)], context());
    await writeFolders(2);
    await until(() => Promise.resolve(running.status()[0]?.fault?.includes('stuck') === true));
    const replaced = await nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode: 'replace' }), { timeout: 20_000 });
    expect(replaced.json()).toMatchObject({ ok: true, report: { compared: false, differing: [] } });
    await writeFolders(2);
    await allProjected();
    await running.stop();
  });

  it('builds a newer version beside the old one and swaps the views', async () => {
    const running = startProjections([folders(2)], context());
    const before = (await rows()).count;
    await until(async () => (await rows()).sample.startsWith('v2:'));
    // Filled first, which takes less.
    expect(await indexed()).toEqual({ has: true, rows: before, derived: before });
    await writeFolders(3);
    await allProjected();
    await running.stop();
  });

  it('goes on with the tables of an older release until those of a newer one have caught up, and comes back to them when that one has gone', async () => {
    const older = startProjections([folders(2)], context());
    await until(() => Promise.resolve(older.status()[0]?.role === 'owner'));
    // What the newer release has to fill its tables from does not end while it does.
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) await writeFolders(1);
    })();
    const newer = startProjections([folders(3)], context());
    await newer.takenOver();
    await until(() => Promise.resolve(newer.status()[0]?.role === 'owner'));
    expect(newer.status()[0]?.isCurrent).toBe(true);
    const seen = (await rows()).count;
    await until(() => Promise.resolve(older.status()[0]?.role === 'standby'));
    expect(older.status()[0]?.isCurrent).toBe(true);
    over.abort();
    await writing;
    await allProjected();
    expect([(await rows()).sample.slice(0, 3), (await rows()).count >= seen]).toEqual(['v3:', true]);
    await newer.stop();
    const back = (): Promise<unknown> =>
      nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode: 'replace' }), { timeout: 20_000 });
    await until(async () => (await back()) !== undefined);
    await until(async () => (await rows()).sample.startsWith('v2:'));
    await writeFolders(2);
    await allProjected();
    await older.stop();
  });

  it('never goes back for readers while tables are replaced again and again', async () => {
    const running = startProjections([folders(2)], context());
    await until(() => Promise.resolve(running.status()[0]?.role === 'owner'));
    const over = new AbortController();
    const faults: string[] = [];
    const writing = (async () => {
      while (!over.signal.aborted) await writeFolders(1);
    })();
    const reading = (async () => {
      for (let most = 0; !over.signal.aborted;) {
        const { count } = await rows();
        if (count < most) faults.push(`${count} after ${most}`);
        most = count;
      }
    })();
    for (let round = 0; round < 4; round += 1) {
      const mode = round === 0 ? 'verify' : 'replace';
      const answer = await nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode }), { timeout: 60_000 });
      expect(answer.json()).toMatchObject({ ok: true, report: { compared: true, differing: [] } });
    }
    over.abort();
    await Promise.all([writing, reading]);
    expect(faults).toEqual([]);
    await allProjected();
    await running.stop();
  });

  it('stands before an event of a newer release until a replica of that release takes over', async () => {
    const running = startProjections([folders(2)], context());
    await until(() => Promise.resolve(running.status()[0]?.role === 'owner'));
    await writeFolders(1);
    const added = defineEvent('FolderOfTheFuture', z.object({ folderId: z.int() }));
    const meta = { actor: 'system', correlationId: 'c', causationId: 'c', at: 1 };
    await store.append(
      [{ context: 'library', aggregate: 'folder', id: 900_001, expectedPosition: 0, events: [added({ folderId: 900_001 })] }],
      meta,
    );
    await writeFolders(1);
    await until(() => Promise.resolve(running.status()[0]?.role === 'held'));
    expect(running.status()[0]?.fault).toContain('FolderOfTheFuture of version 1 was written by a newer release');
    // What was before it is there, what came after it waits.
    await until(async () => (await rows()).count === nextFolder - 2);
    await expect(store.read('library', 'folder', 900_001)).rejects.toThrow(NewerEvent);
    forgetEvents = registerEvents([added]);
    await allProjected();
    await until(() => Promise.resolve(running.status()[0]?.role === 'owner'));
    await running.stop();
  });

  it('refuses tables that belong to another incarnation of the log, until they are rebuilt', async () => {
    await sql`update chassis.projection_checkpoint set epoch = 'another' where name = 'spec-folders' and state = 'live'`.execute(db);
    const running = startProjections([folders(2)], context());
    await until(() => Promise.resolve(running.status()[0]?.role === 'refused'));
    expect(running.status()[0]?.fault).toContain('continuo projections rebuild spec-folders');
    await nats.request(rebuildSubject('spec-folders'), JSON.stringify({ mode: 'replace' }), {
      timeout: 20_000,
    });
    await until(() => Promise.resolve(running.status()[0]?.role === 'owner'));
    await running.stop();
  });
});
