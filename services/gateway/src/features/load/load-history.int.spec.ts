import { createMetrics, ensureEventStreams, openDatabase } from '@continuo/chassis';
import { recordingLog } from '@continuo/chassis/testkit';
import type { ReadModel } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats } from '@continuo/local-servers';
import { createReadModel } from '@continuo/read-model';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import { Counter } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inMemoryPlaying } from '../../../test/fakes/in-memory-stores.js';
import { JetStreamLoadHistory } from './load-history.adapter.js';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);

let server: TestNats;
let nats: NatsConnection;
let postgres: Awaited<ReturnType<typeof testPostgres>>;
let db: Kysely<ReadModel>;
let nowMs = START_MS;
const { log, lines } = recordingLog();
const metrics = createMetrics('gateway');
const requests = new Counter({ name: 'continuo_http_requests_total', help: 'requests', registers: [metrics.registry] });

const history = (connection = nats): JetStreamLoadHistory => {
  const now = (): number => nowMs;
  const checkpoints = db as unknown as Kysely<unknown>;
  return new JetStreamLoadHistory({
    nats: connection,
    metrics,
    playing: inMemoryPlaying(now),
    reads: db,
    checkpoints,
    port: 8080,
    replicas: 1,
    log,
    now,
  });
};

beforeAll(async () => {
  [server, postgres] = await Promise.all([testNats(), testPostgres()]);
  nats = await connect({ servers: server.url });
  db = openDatabase<ReadModel>({ url: postgres.url, poolSize: 2, applicationName: 'continuo-test' });
  await createReadModel(db as unknown as Kysely<unknown>);
  await ensureEventStreams(await jetstreamManager(nats), ['library'], 1);
});
afterAll(async () => {
  await db.destroy();
  await nats.close();
  await Promise.all([server.stop(), postgres.stop()]);
});

it('tells of a server that has just started its state at this moment', async () => {
  expect(await history().samples()).toMatchObject([{ atMs: START_MS, requestsPerS: 0, p95Ms: null, listeners: 0, runningScans: 0 }]);
});

it('notes a sample every five minutes, with the requests and the lag of that time', async () => {
  const own = history();
  await sql`delete from chassis.projection_checkpoint`.execute(db);
  await sql`insert into chassis.projection_checkpoint (name, version, generation, state, stream, epoch, position, physical_schema)
    values ('songs', 1, 1, 'live', 'EV_LIBRARY', 'e', 1, 'x')`.execute(db);
  for (const n of [1, 2, 3]) nats.publish('ev.library.00.catalog.1', String(n));
  await nats.flush();
  requests.inc(600);
  nowMs += 4 * MINUTE_MS;
  await own.recordWhenDue();
  expect(await own.samples()).toHaveLength(1);
  nowMs += MINUTE_MS;
  await own.recordWhenDue();
  await own.recordWhenDue();
  requests.inc(60);
  nowMs += MINUTE_MS;
  expect(await own.samples()).toMatchObject([
    { atMs: START_MS + 5 * MINUTE_MS, requestsPerS: 2, lagEvents: 2 },
    { atMs: START_MS + 6 * MINUTE_MS, requestsPerS: 1, lagEvents: 2 },
  ]);
});

it('overwrites the samples of the day before', async () => {
  const own = history();
  for (let minutes = 0; minutes <= 26 * 60; minutes += 5) {
    nowMs += 5 * MINUTE_MS;
    await own.recordWhenDue();
  }
  const kept = (await own.samples()).slice(0, -1);
  expect(kept).toHaveLength(288);
  expect(Math.min(...kept.map(({ atMs }) => atMs))).toBeGreaterThan(nowMs - 24 * 60 * MINUTE_MS);
});

it('says when a sample could not be noted, and goes on', async () => {
  const away = await connect({ servers: server.url });
  const own = history(away);
  await away.close();
  nowMs += 5 * MINUTE_MS;
  await own.recordWhenDue();
  expect(lines.at(-1)).toMatchObject({ msg: expect.stringContaining('the charts of the last day have a gap') });
  await expect(own.samples()).rejects.toMatchObject({ code: 'unavailable' });
});
