import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  addWebhook,
  disableWebhook,
  enableWebhook,
  Rejection,
  removeWebhook,
  testWebhook,
  webhookId,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOperatedGateway, type OperatedGateway } from '../../../test/manage/operated-gateway.js';

let server: OperatedGateway;
let call: OperatedGateway['call'];

/** The social service as far as webhooks are concerned. */
const answering = (db: Kysely<ReadModel>): InMemoryCommandClient => {
  const enable = async (id: number, enabled: boolean) => {
    const changed = { enabled, ended_by: enabled ? null : ('operator' as const) };
    const { numUpdatedRows } = await db.updateTable('social.webhook').set(changed).where('id', '=', id).executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Rejection('webhook.not-found');
    return { result: {}, positions: [] };
  };
  let count = 0;
  return new InMemoryCommandClient()
    .handle(addWebhook, async ({ data: { url, patterns, name, userId } }) => {
      if (!url.startsWith('http')) throw new Rejection('input.invalid', 'the address has no form that requests may go to', 'url');
      const row = { id: (count += 1), name, host: new URL(url).host, patterns, user_id: userId, enabled: true, ended_by: null };
      const more = {
        sealed_url: 'planted-url',
        sealed_secret: 'planted-secret',
        run: 1,
        after: '{}',
        created_at_ms: 1000,
        changed_at_ms: 1000,
      };
      await db
        .insertInto('social.webhook')
        .values({ ...row, ...more })
        .execute();
      return { result: { webhookId: webhookId.parse(row.id), secret: 'whsec_made' }, positions: [] };
    })
    .handle(enableWebhook, ({ data }) => enable(data.webhookId, true))
    .handle(disableWebhook, ({ data }) => enable(data.webhookId, false))
    .handle(testWebhook, async () => ({ result: { status: 204, fault: null, durationMs: 3 }, positions: [] }))
    .handle(removeWebhook, async ({ data }) => {
      await db.deleteFrom('social.webhook').where('id', '=', data.webhookId).execute();
      return { result: {}, positions: [] };
    });
};

beforeAll(async () => {
  server = await startOperatedGateway(({ db }) => ({ commands: answering(db) }));
  call = server.call;
});
afterAll(() => server.stop());

describe('webhooks', () => {
  it('are created, with a secret that is answered once, listed, switched, tested and deleted', async () => {
    const made = await call('POST', '/webhooks', { body: { url: 'https://home.example/hook', events: ['play.*'], name: 'home' } });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: '/manage/v1/webhooks/1' },
      body: { id: 1, host: 'home.example', events: ['play.*'], accountId: null, secret: 'whsec_made' },
    });
    await call('POST', '/webhooks', { body: { url: 'https://two.example', events: ['*'] } });
    const first = (await call('GET', '/webhooks?limit=1')).body as { nextCursor: string };
    expect(first).toMatchObject({ items: [{ id: 1 }], nextCursor: expect.any(String) });
    expect((await call('GET', `/webhooks?cursor=${first.nextCursor}`)).body).toMatchObject({ items: [{ id: 2 }], nextCursor: null });
    expect(JSON.stringify([first, (await call('GET', '/webhooks/1')).body])).not.toMatch(/planted|whsec/);
    expect((await call('PATCH', '/webhooks/1', { body: { enabled: false } })).body).toMatchObject({ enabled: false, endedBy: 'operator' });
    expect(await call('POST', '/webhooks/1/redeliveries')).toMatchObject({ status: 409, body: { detail: 'webhook 1 is off' } });
    expect((await call('PATCH', '/webhooks/1', { body: { enabled: true } })).body).toMatchObject({ enabled: true, endedBy: null });
    expect((await call('POST', '/webhooks/1/redeliveries')).body).toEqual({ redelivered: 0 });
    expect((await call('POST', '/webhooks/1/tests')).body).toEqual({ status: 204, fault: null, durationMs: 3 });
    expect((await call('DELETE', '/webhooks/1')).status).toBe(204);
    expect(await call('GET', '/webhooks/1')).toMatchObject({ status: 404, body: { type: '/docs/problems#webhook.not-found' } });
  });

  it('tell how deliveries went, the latest first', async () => {
    const row = {
      webhook_id: 2,
      type: 'play.recorded',
      outcome: 'delivered',
      attempts: 1,
      status: 200,
      fault: null,
      payload: '{"id":"a"}',
      answer: 'taken',
      duration_ms: 5,
    } as const;
    const rows = ['a', 'b', 'c'].map((id, n) => ({
      ...row,
      event_id: id,
      first_at_ms: 1000,
      last_at_ms: 2000 + (n > 0 ? 1 : 0),
      next_at_ms: null,
    }));
    await server.db.insertInto('social.webhook_delivery').values(rows).execute();
    const first = (await call('GET', '/webhooks/2/deliveries?limit=2')).body as { nextCursor: string };
    expect(first).toMatchObject({ items: [{ eventId: 'c' }, { eventId: 'b', status: 200, lastAt: '1970-01-01T00:00:02.001Z' }] });
    const second = (await call('GET', `/webhooks/2/deliveries?limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ items: [{ eventId: 'a', nextAt: null }], nextCursor: null });
    expect((await call('GET', '/webhooks/9/deliveries')).status).toBe(404);
    expect(JSON.stringify(first)).not.toContain('taken');
    const inspected = await call('GET', '/webhooks/2/deliveries/b');
    expect(inspected.body).toMatchObject({ eventId: 'b', status: 200, payload: '{"id":"a"}', answer: 'taken' });
    for (const path of ['/webhooks/2/deliveries/d', '/webhooks/9/deliveries/b']) expect((await call('GET', path)).status).toBe(404);
  });

  it('are refused for events and addresses that there are not', async () => {
    expect(await call('POST', '/webhooks', { body: { url: 'ftp://x', events: ['*'] } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/url' }] },
    });
    expect((await call('POST', '/webhooks', { body: { url: 'https://x.example', events: ['no.such'] } })).status).toBe(400);
    const types = (await call('GET', '/webhook-event-types?limit=500')).body as { items: { type: string }[] };
    expect(types.items).toContainEqual({ type: 'play.recorded', meaning: expect.any(String) });
  });
});
