import { ensureJobStreams, publishDead } from '@continuo/chassis';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOperatedGateway, type OperatedGateway } from '../../../test/manage/operated-gateway.js';

let server: OperatedGateway;
let call: OperatedGateway['call'];

beforeAll(async () => {
  server = await startOperatedGateway();
  call = server.call;
  await ensureJobStreams(await jetstreamManager(server.nats), ['ingest', 'transcode'], 1);
});
afterAll(() => server.stop());
beforeEach(async () => {
  const manager = await jetstreamManager(server.nats);
  await manager.streams.purge('DEAD_LETTERS');
  await manager.streams.purge('JOBS_INGEST');
});

let count = 0;
const die = async (text: string, subject = 'jobs.ingest.scan-catalog'): Promise<void> => {
  const death = { reason: 'no such folder', stream: 'JOBS_INGEST', sequence: 1, attempts: 3 };
  const copy = { payload: new TextEncoder().encode(text), headers: headers(), death, msgID: `m${(count += 1)}` };
  await publishDead(jetstream(server.nats), subject, copy);
};
const items = async (path = '/dead-letters'): Promise<Record<string, unknown>[]> =>
  ((await call('GET', path)).body as { items: Record<string, unknown>[] }).items;

describe('dead letters', () => {
  it('are listed in pages, by subject, and read with their payload', async () => {
    for (const text of ['{"a":1}', '{"a":2}', '{"a":3}']) await die(text);
    await die('{}', 'react.social-webhook-1-EV_SOCIAL');
    const first = (await call('GET', '/dead-letters?limit=2')).body as { items: { id: number }[]; nextCursor: string };
    expect(first.items).toMatchObject([
      { subject: 'jobs.ingest.scan-catalog', reason: 'no such folder', attempts: 3, sizeBytes: 7 },
      { sizeBytes: 7 },
    ]);
    const second = (await call('GET', `/dead-letters?limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ items: [{}, { subject: 'react.social-webhook-1-EV_SOCIAL' }], nextCursor: null });
    expect(await items('/dead-letters?subject=react.%3E')).toHaveLength(1);
    expect((await call('GET', `/dead-letters/${first.items[0]?.id}`)).body).toMatchObject({ payload: '{"a":1}', isWhole: true });
    await die(`"${'x'.repeat(70_000)}"`, 'jobs.ingest.large');
    const [large] = await items('/dead-letters?subject=jobs.ingest.large');
    expect((await call('GET', `/dead-letters/${large?.['id'] as number}`)).body).toMatchObject({ isWhole: false, sizeBytes: 70_002 });
  });

  it('are sent again, those that are named or those of a subject', async () => {
    for (const text of ['1', '2']) await die(text);
    await die('3', 'jobs.ingest.other');
    const [{ id } = {}] = await items();
    expect((await call('POST', '/dead-letters/retries', { body: { ids: [id, 99_999] } })).body).toEqual({ retried: 1 });
    expect((await call('GET', `/dead-letters/${id as number}`)).status).toBe(404);
    expect((await call('POST', '/dead-letters/retries', { body: { subject: 'jobs.ingest.other' } })).body).toEqual({ retried: 1 });
    expect((await call('GET', '/queues/JOBS_INGEST')).body).toMatchObject({ name: 'JOBS_INGEST', depth: 2, oldestAt: expect.any(String) });
    expect((await call('POST', '/dead-letters/retries', { body: {} })).body).toEqual({ retried: 1 });
    expect(await items()).toEqual([]);
  });

  it('stay, with the reason, where no stream takes them', async () => {
    await die('1');
    await die('2', 'gone.for.good');
    const answer = await call('POST', '/dead-letters/retries', { body: {} });
    expect(answer).toMatchObject({ status: 409, body: { type: '/docs/problems#conflict' } });
    expect((answer.body as { detail: string }).detail).toMatch(/No stream takes gone\.for\.good, .* 1 before it were sent again/);
    expect(await items()).toMatchObject([{ subject: 'gone.for.good' }]);
  });

  it('are dropped for good', async () => {
    await die('1');
    const [{ id } = {}] = await items();
    expect((await call('DELETE', `/dead-letters/${id as number}`)).status).toBe(204);
    expect(await call('DELETE', `/dead-letters/${id as number}`)).toMatchObject({ status: 404 });
    expect((await call('GET', '/queues/JOBS_INGEST')).body).toMatchObject({ depth: 0 });
  });
});

describe('queues', () => {
  it('tell what waits, what is in work, and what came again', async () => {
    const manager = await jetstreamManager(server.nats);
    await manager.consumers.add('JOBS_INGEST', {
      durable_name: 'scans',
      ack_policy: 'explicit',
      filter_subject: 'jobs.ingest.scan-catalog',
      // So that the one that comes again is the only one in work.
      max_ack_pending: 1,
    });
    for (const text of ['1', '2', '3']) await jetstream(server.nats).publish('jobs.ingest.scan-catalog', text);
    const consumer = await jetstream(server.nats).consumers.get('JOBS_INGEST', 'scans');
    const taken = await consumer.next();
    taken?.nak();
    expect((await consumer.next())?.info.deliveryCount).toBe(2);
    expect((await call('GET', '/queues/JOBS_INGEST')).body).toMatchObject({
      depth: 3,
      consumers: [{ name: 'scans', waiting: 2, inWork: 1, redelivered: 1 }],
    });
    const names = (await items('/queues')).map(({ name }) => name);
    expect(names).toEqual(['DEAD_LETTERS', 'JOBS_INGEST', 'JOBS_TRANSCODE']);
    expect((await call('GET', '/queues/EV_LIBRARY')).status).toBe(404);
    const page = (await call('GET', '/queues?limit=1')).body as { nextCursor: string };
    expect(await items(`/queues?cursor=${page.nextCursor}`)).toHaveLength(2);
  });
});
