import { answerQuery, ensureEventStreams, rebuildSubject, type Running } from '@continuo/chassis';
import {
  REPLICAS_SUBJECT,
  replicaQuery,
  SETTINGS_SUBJECT,
  settingsQuery,
  TRANSCODE_WORKERS_SUBJECT,
  transcodeWorkersQuery,
} from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type Msg } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOperatedGateway, type OperatedGateway } from '../../../test/manage/operated-gateway.js';

let server: OperatedGateway;
let call: OperatedGateway['call'];
const running: Running[] = [];

beforeAll(async () => {
  server = await startOperatedGateway();
  call = server.call;
  await ensureEventStreams(await jetstreamManager(server.nats), ['library', 'identity'], 1);
});
afterAll(async () => {
  for (const one of running) await one.stop();
  await server.stop();
});

const bodyOf = async <T>(path: string): Promise<T> => (await call('GET', path)).body as T;
const log = pino({ level: 'silent' });

describe('projections', () => {
  const checkpoint = (name: string, state: string, position: number) =>
    sql`insert into chassis.projection_checkpoint (name, version, generation, state, stream, epoch, position, physical_schema)
      values (${name}, 1, ${state === 'live' ? 1 : 2}, ${state}, 'EV_LIBRARY', 'e', ${position}, 'x')`.execute(server.db);

  beforeAll(async () => {
    await sql`delete from chassis.projection_checkpoint`.execute(server.db);
    for (const n of [1, 2, 3]) server.nats.publish('ev.library.00.catalog.1', String(n));
    await server.nats.flush();
    await checkpoint('songs', 'live', 1);
    await checkpoint('lists', 'live', 3);
  });

  it('tell position and lag, in pages by name', async () => {
    const first = await bodyOf<{ nextCursor: string }>('/projections?limit=1');
    expect(first).toMatchObject({ items: [{ name: 'lists', logEnd: 3, live: { position: 3, lagEvents: 0 }, building: null }] });
    expect(await bodyOf(`/projections?cursor=${first.nextCursor}`)).toMatchObject({
      items: [{ name: 'songs', live: { lagEvents: 2 } }],
      nextCursor: null,
    });
    expect((await call('GET', '/projections/songs')).headers['etag']).toBeDefined();
    expect((await call('GET', '/projections/none')).status).toBe(404);
  });

  it('are rebuilt with progress, one at a time, and tell how old and new compare', async () => {
    const done = Promise.withResolvers<void>();
    const answer = async (message: Msg): Promise<void> => {
      await done.promise;
      const digests = { song: '7:aa', album: '2:bb' };
      const report = { projection: 'songs', position: 3, durationMs: 12, compared: true, differing: ['album'], digests };
      message.respond(JSON.stringify({ ok: true, report: { ...report, lost: [{ table: 'album', live: 3, rebuilt: 2 }] } }));
    };
    const subscription = server.nats.subscribe(rebuildSubject('songs'), { callback: (_error, message) => void answer(message) });
    const started = await call('POST', '/projection-rebuilds', { body: { projection: 'songs', mode: 'verify' } });
    const { id } = started.body as { id: string };
    expect(started).toMatchObject({
      status: 202,
      headers: { location: `/manage/v1/projection-rebuilds/${id}` },
      body: { state: 'running', projection: 'songs', mode: 'verify', acceptLoss: false, comparison: null },
    });
    await checkpoint('songs', 'building', 2);
    expect(await bodyOf(`/projection-rebuilds/${id}`)).toMatchObject({ state: 'running', progress: { done: 2, total: 3, unit: 'events' } });
    expect((await call('POST', '/projection-rebuilds', { body: { projection: 'songs' } })).status).toBe(409);
    done.resolve();
    await expect.poll(() => bodyOf(`/projection-rebuilds/${id}`)).toMatchObject({ state: 'done' });
    expect(await bodyOf(`/projection-rebuilds/${id}`)).toMatchObject({
      endedAt: expect.any(String),
      comparison: {
        compared: true,
        tables: [
          { name: 'song', rows: 7, equal: true, lostRows: 0 },
          { name: 'album', rows: 2, equal: false, lostRows: 1 },
        ],
      },
    });
    subscription.unsubscribe();
    expect((await call('POST', '/projection-rebuilds', { body: { projection: 'none' } })).status).toBe(404);
  });

  it('tell why a rebuild failed, and are listed with the latest first', async () => {
    const { body } = await call('POST', '/projection-rebuilds', { body: { projection: 'lists' } });
    const { id } = body as { id: string };
    await expect
      .poll(() => bodyOf(`/projection-rebuilds/${id}`))
      .toMatchObject({ state: 'failed', problem: 'nobody keeps the projection lists at the moment' });
    const first = await bodyOf<{ items: { projection: string }[]; nextCursor: string }>('/projection-rebuilds?limit=1');
    expect(first.items).toMatchObject([{ projection: 'lists' }]);
    expect(await bodyOf(`/projection-rebuilds?cursor=${first.nextCursor}`)).toMatchObject({
      items: [{ projection: 'songs' }],
      nextCursor: null,
    });
  });
});

describe('services', () => {
  beforeAll(() => {
    const { nats } = server;
    const load = { memoryBytes: 1, heapBytes: 1, cpuCores: 0.5, eventLoopBusy: 0.25 };
    const settings = [
      { name: 'PORT', value: '8080', source: 'default', isSecret: false },
      { name: 'NATS_PASSWORD', value: '••••••', source: 'environment', isSecret: true },
    ] as const;
    for (const [index, service] of ['library', 'gateway', 'gateway'].entries()) {
      const one = { service, version: '0.1.0', host: 'h', pid: 7, startedAtMs: 1000, isReady: true, parts: { nats: 'ok' }, ...load };
      const own = settings.map((each) => (index === 2 && each.name === 'PORT' ? { ...each, value: '81' } : each));
      running.push(
        answerQuery({ nats, log, subject: REPLICAS_SUBJECT, query: replicaQuery, answer: () => ({ replicaId: `r${index}`, ...one }) }),
        answerQuery({
          nats,
          log,
          subject: SETTINGS_SUBJECT,
          query: settingsQuery,
          answer: () => ({ replicaId: `r${index}`, service, settings: own }),
        }),
      );
    }
  });

  it('are listed with version, start and load', async () => {
    const { items } = await bodyOf<{ items: unknown[] }>('/replicas');
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({ service: 'gateway', id: 'r1', startedAt: '1970-01-01T00:00:01.000Z', load: { cpuCores: 0.5 } });
  });

  it('tell their settings, and where replicas differ', async () => {
    const { items } = await bodyOf<{ items: unknown[] }>('/settings?service=gateway');
    expect(items).toEqual([
      {
        service: 'gateway',
        name: 'NATS_PASSWORD',
        value: '••••••',
        source: 'environment',
        isSecret: true,
        meaning: 'Password of the NATS login, when it is not in the URL.',
        differs: false,
      },
      {
        service: 'gateway',
        name: 'PORT',
        value: '8080',
        source: 'default',
        isSecret: false,
        meaning: expect.stringContaining('ort'),
        differs: true,
      },
    ]);
    expect((await bodyOf<{ items: unknown[] }>('/settings')).items).toHaveLength(4);
  });

  it('that transcode tell their slots and what they make', async () => {
    expect(await bodyOf('/transcoding/workers')).toEqual({ items: [], nextCursor: null });
    const making = [{ path: '/m/a.flac', mime: 'audio/mpeg', startedMsAgo: 0, writtenBytes: 9, listeners: 3, accountIds: [76, 1_000_000] }];
    const listener = {
      id: 76,
      username: 'nia',
      username_key: 'nia',
      full_name_public: false,
      access: 25,
      disabled: false,
      created_at_ms: 1,
    };
    await server.db.insertInto('social.user').values(listener).execute();
    const worker = {
      workerId: 'w-1',
      slots: 2,
      slotsUsed: 1,
      batchSlots: 1,
      cacheBytes: 5,
      cacheCapBytes: 9,
      ffmpegVersion: '5.1',
      problem: null,
    };
    const answer = () => ({ ...worker, audioEncoders: ['libopus'], making });
    running.push(answerQuery({ nats: server.nats, log, subject: TRANSCODE_WORKERS_SUBJECT, query: transcodeWorkersQuery, answer }));
    expect(await bodyOf('/transcoding/workers')).toMatchObject({
      items: [
        { id: 'w-1', slots: 2, usedSlots: 1, cacheLimitBytes: 9, making: [{ path: '/m/a.flac', writtenBytes: 9, accounts: ['nia'] }] },
      ],
    });
  });
});

describe('audit trail', () => {
  it('tells who did what when, by name, over pages', async () => {
    const write = (subject: string, type: string, actor: string, at: number): void => {
      const envelope = headers();
      for (const [name, value] of Object.entries({ Type: type, At: String(at), Actor: actor, Correlation: 'c-1' }))
        envelope.set(`Continuo-${name}`, value);
      server.nats.publish(subject, '{"secret":"planted"}', { headers: envelope });
    };
    const row = { id: 77, username: 'ada', username_key: 'ada', full_name_public: false, access: 100, disabled: false, created_at_ms: 1 };
    await server.db.insertInto('social.user').values(row).execute();
    write('ev.identity.00.user.9', 'UserDisabled', 'user:77', 9_000_000_000_001);
    write('ev.library.00.catalog.4', 'CatalogAdded', 'continuo-cli', 9_000_000_000_002);
    await server.nats.flush();
    const first = await bodyOf<{ items: unknown[]; nextCursor: string }>('/audit?limit=1');
    expect(first.items).toMatchObject([
      {
        action: 'CatalogAdded',
        actor: { type: 'program', accountId: null, name: 'continuo-cli' },
        object: { type: 'catalog', id: '4' },
        context: 'library',
      },
    ]);
    const second = await bodyOf<{ items: unknown[] }>(`/audit?limit=1&cursor=${first.nextCursor}`);
    expect(second.items).toMatchObject([
      { action: 'UserDisabled', actor: { type: 'account', accountId: 77, name: 'ada' }, correlationId: 'c-1' },
    ]);
    expect((await bodyOf<{ items: unknown[] }>('/audit?accountId=77')).items).toHaveLength(1);
    expect((await bodyOf<{ items: unknown[] }>('/audit?program=continuo-cli&objectType=catalog')).items).toHaveLength(1);
    expect(JSON.stringify(await bodyOf('/audit'))).not.toContain('planted');
  });
});
