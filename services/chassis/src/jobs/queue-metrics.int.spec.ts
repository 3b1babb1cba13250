import { jobStreams } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { AckPolicy, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureJobStreams } from './job-streams.js';
import { queueGauges } from './queue-metrics.js';

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
  manager = await jetstreamManager(nats, { timeout: 20_000 });
  await ensureJobStreams(manager, ['ingest'], 1);
  await manager.consumers.add(jobStreams.ingest, {
    durable_name: 'ingest-scan-catalog',
    ack_policy: AckPolicy.Explicit,
    filter_subject: 'jobs.ingest.scan-catalog',
  });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const lines = async (registry: Registry): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith('continuo_'));

it('tells what waits, what is at work, what came back, and what was given up', async () => {
  const client = jetstream(nats);
  for (let n = 0; n < 3; n += 1) await client.publish('jobs.ingest.scan-catalog', '{}');
  await client.publish('dead.jobs.ingest.scan-catalog', '{}');
  const consumer = await client.consumers.get(jobStreams.ingest, 'ingest-scan-catalog');
  expect(await consumer.next()).not.toBeNull();
  const registry = new Registry();
  queueGauges(registry, { manager, streams: [jobStreams.ingest] });
  expect(await lines(registry)).toEqual(
    expect.arrayContaining([
      'continuo_queue_waiting{stream="JOBS_INGEST",consumer="ingest-scan-catalog"} 2',
      'continuo_queue_in_flight{stream="JOBS_INGEST",consumer="ingest-scan-catalog"} 1',
      'continuo_queue_redelivered{stream="JOBS_INGEST",consumer="ingest-scan-catalog"} 0',
      'continuo_stream_messages{stream="JOBS_INGEST"} 3',
      'continuo_dead_letters 1',
    ]),
  );
});

it('tells nothing, and holds up nobody for long, while NATS does not answer', async () => {
  const registry = new Registry();
  const silent = { ...manager, streams: { info: () => new Promise(() => undefined) } } as unknown as JetStreamManager;
  queueGauges(registry, { manager: silent, streams: [jobStreams.ingest] });
  const startedMs = performance.now();
  expect(await lines(registry)).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});
