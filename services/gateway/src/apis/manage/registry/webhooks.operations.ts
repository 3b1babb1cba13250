import {
  addWebhook,
  allPublicEventTypes,
  disableWebhook,
  enableWebhook,
  MAX_WEBHOOK_NAME,
  publicEventPattern,
  publicEventTypes,
  Rejection,
  removeWebhook,
  testWebhook,
  userId,
  webhookId,
  webhookSecret,
  type WebhookDeliveryTable,
} from '@continuo/contracts';
import type { ListedWebhook } from '@continuo/operations';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { runAndAwaitReadModel, runCommand, runLongCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageByText, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { id, idPath, word } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';

type Services = HasCommands & HasConfig & HasReadModel & HasOperations;
const { operation } = operationsUsing<Services>();

/** A receiver has its time to answer, and the service some more. */
const TEST_TIMEOUT_MS = 30_000;
const patterns = z
  .array(publicEventPattern.meta({ description: 'A type of event, a family such as `play.*`, or `*`' }))
  .min(1)
  .max(100);

const webhookFields = {
  id,
  name: z.string(),
  host: z.string().meta({ description: 'Host of its address; the address itself is kept sealed' }),
  events: z.array(z.string()),
  accountId: id.nullable().meta({ description: 'Account whose view it has; null: what administrators see' }),
  enabled: z.boolean(),
  endedBy: z.enum(['operator', 'gone', 'failing']).nullable().meta({ description: 'Why it is not enabled' }),
  createdAt: time,
  changedAt: time,
};
const webhook = z.object(webhookFields).meta({ id: 'Webhook' });
const createdWebhook = z
  .object({ ...webhookFields, secret: z.string().meta({ description: 'Secret of its signatures, answered this once' }) })
  .meta({ id: 'CreatedWebhook' });

const deliveryFields = {
  eventId: z.string(),
  type: z.string(),
  outcome: z.enum(['delivered', 'waiting', 'dead', 'refused']),
  attempts: z.int(),
  status: z.int().nullable().meta({ description: 'HTTP status of the last answer; null when there was none' }),
  fault: z.string().nullable(),
  durationMs: z.number(),
  firstAt: time,
  lastAt: time,
  nextAt: time.nullable().meta({ description: 'When it is tried again' }),
};
const delivery = z.object(deliveryFields).meta({ id: 'WebhookDelivery' });
const inspectedDelivery = z
  .object({
    ...deliveryFields,
    payload: z.string().nullable().meta({ description: 'JSON that was sent; null for deliveries of before that was kept' }),
    answer: z.string().nullable().meta({ description: 'Beginning of the body of the last answer; null when there was none' }),
  })
  .meta({ id: 'InspectedWebhookDelivery' });

const shownDelivery = (row: WebhookDeliveryTable): z.output<typeof delivery> => ({
  eventId: row.event_id,
  type: row.type,
  outcome: row.outcome,
  attempts: row.attempts,
  status: row.status,
  fault: row.fault,
  durationMs: row.duration_ms,
  firstAt: timeText(row.first_at_ms),
  lastAt: timeText(row.last_at_ms),
  nextAt: timeTextOrNull(row.next_at_ms),
});

const rowsAfter = ({ operations }: HasOperations, db: HasReadModel['db'], page: { after: number; limit: number }) =>
  operate({ operations }, async ({ library }) => (await library.webhooks(db, page)).map(shown));

const shown = (row: ListedWebhook): z.output<typeof webhook> => ({
  id: row.id,
  name: row.name,
  host: row.host,
  events: [...row.patterns],
  accountId: row.user_id,
  enabled: row.enabled,
  endedBy: row.ended_by,
  createdAt: timeText(row.created_at_ms),
  changedAt: timeText(row.changed_at_ms),
});

/** @throws Rejection `webhook.not-found` */
const webhookOf = async (services: HasOperations & HasReadModel, wanted: number): Promise<z.output<typeof webhook>> => {
  const [found] = await rowsAfter(services, services.db, { after: wanted - 1, limit: 1 });
  if (found?.id !== wanted) throw new Rejection('webhook.not-found');
  return found;
};

const newWebhook = z
  .strictObject({
    url: z.string().min(1).max(2048).meta({ description: 'Where to POST to' }),
    events: patterns,
    accountId: userId.nullable().default(null).meta({ description: 'Tells what this account may see; absent: what administrators see' }),
    name: z.string().trim().max(MAX_WEBHOOK_NAME).default(''),
    secret: webhookSecret.optional().meta({ description: 'Secret of the signatures; one is made up when it is absent' }),
  })
  .meta({ id: 'NewWebhook' });

const changes = {
  createWebhook: operation({
    method: 'POST',
    path: '/webhooks',
    family: 'webhooks',
    access: 'write',
    summary: 'Has a server elsewhere told of events',
    body: newWebhook,
    answer: createdWebhook,
    status: 201,
    errors: ['input.too-large', 'user.not-found'],
    locate: (made) => `/webhooks/${made.id}`,
    run: async ({ body: { url, events, accountId, name, secret }, services, request }) => {
      const data = { url, patterns: events, userId: accountId, name, ...(secret === undefined ? {} : { secret }) };
      const made = await runAndAwaitReadModel(services, request, { command: addWebhook }, data);
      return { ...(await webhookOf(services, made.webhookId)), secret: made.secret };
    },
  }),
  changeWebhook: operation({
    method: 'PATCH',
    path: '/webhooks/{id}',
    family: 'webhooks',
    access: 'write',
    summary: 'Switches a webhook off, or on again for events from now on',
    params: idPath,
    body: z.strictObject({ enabled: z.boolean() }).meta({ id: 'WebhookChange' }),
    answer: webhook,
    errors: ['webhook.not-found'],
    run: async ({ params, body: { enabled }, services, request }) => {
      const known = await webhookOf(services, params.id);
      if (known.enabled === enabled) return known;
      await runCommand(services, request, enabled ? enableWebhook : disableWebhook, { webhookId: webhookId.parse(params.id) });
      return webhookOf(services, params.id);
    },
  }),
  deleteWebhook: operation({
    method: 'DELETE',
    path: '/webhooks/{id}',
    family: 'webhooks',
    access: 'write',
    summary: 'Deletes a webhook with everything that waits for it',
    params: idPath,
    errors: ['webhook.not-found'],
    run: async ({ params, services, request }) => {
      await runCommand(services, request, removeWebhook, { webhookId: webhookId.parse(params.id) });
    },
  }),
};

const deliveries = {
  listWebhookDeliveries: operation({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    family: 'webhooks',
    access: 'read',
    summary: 'Lists deliveries of a webhook, the latest first',
    params: idPath,
    query: pageQuery,
    answer: pageOf(delivery),
    errors: ['webhook.not-found'],
    run: async ({ params, query, services }) => {
      await webhookOf(services, params.id);
      const before = readCursor(z.object({ lastAtMs: z.number(), eventId: z.string() }), query.cursor);
      const wanted = { limit: rowsOfPage(query), ...(before ? { before } : {}) };
      const rows = await operate(services, ({ library, session }) => library.deliveriesOf(session.db, params.id, wanted));
      const page = cutPage(rows, query, (row) => ({ lastAtMs: row.last_at_ms, eventId: row.event_id }));
      return { ...page, items: page.items.map(shownDelivery) };
    },
  }),
  getWebhookDelivery: operation({
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{eventId}',
    family: 'webhooks',
    access: 'read',
    summary: 'Answers a delivery of a webhook, with what was sent and what was answered',
    params: z.strictObject({ id, eventId: word }),
    answer: inspectedDelivery,
    errors: ['webhook.not-found'],
    run: async ({ params, services }) => {
      await webhookOf(services, params.id);
      const row = await operate(services, ({ library, session }) => library.deliveryOf(session.db, params.id, params.eventId));
      const { payload, answer, ...rest } = required(row, `delivery ${params.eventId}`);
      return { ...shownDelivery({ ...rest, payload, answer }), payload, answer };
    },
  }),
  redeliverWebhook: operation({
    method: 'POST',
    path: '/webhooks/{id}/redeliveries',
    family: 'webhooks',
    access: 'write',
    summary: 'Sends a webhook again what was put aside for it',
    params: idPath,
    answer: z.object({ redelivered: z.int() }).meta({ id: 'WebhookRedelivery' }),
    tagged: false,
    errors: ['webhook.not-found', 'conflict'],
    run: async ({ params, services, request }) => {
      await webhookOf(services, params.id);
      await recordPerformed(services, request, 'redeliverWebhook', params.id);
      return operate(services, async ({ library, session }) => ({ redelivered: await library.redeliver(session, String(params.id)) }));
    },
  }),
  testWebhook: operation({
    method: 'POST',
    path: '/webhooks/{id}/tests',
    family: 'webhooks',
    access: 'write',
    summary: 'Sends a webhook a test, and answers what came of it',
    params: idPath,
    answer: z
      .object({
        status: z.int().nullable().meta({ description: 'HTTP status of the answer; null when there was none' }),
        fault: z.string().nullable(),
        durationMs: z.number(),
      })
      .meta({ id: 'WebhookTest' }),
    tagged: false,
    errors: ['webhook.not-found'],
    run: async ({ params, services, request }) => {
      await webhookOf(services, params.id);
      await recordPerformed(services, request, 'testWebhook', params.id);
      const how = { command: testWebhook, timeoutMs: TEST_TIMEOUT_MS };
      return runLongCommand(services, request, how, { webhookId: webhookId.parse(params.id) });
    },
  }),
};

/** Operations on webhooks. */
export const webhookOperations = {
  listWebhooks: operation({
    method: 'GET',
    path: '/webhooks',
    family: 'webhooks',
    access: 'read',
    summary: 'Lists webhooks by number',
    query: pageQuery,
    answer: pageOf(webhook),
    run: async ({ query, services }) => {
      const after = readCursor(z.int().min(0), query.cursor) ?? 0;
      return cutPage(await rowsAfter(services, services.db, { after, limit: rowsOfPage(query) }), query, (row) => row.id);
    },
  }),
  getWebhook: operation({
    method: 'GET',
    path: '/webhooks/{id}',
    family: 'webhooks',
    access: 'read',
    summary: 'Answers a webhook',
    params: idPath,
    answer: webhook,
    errors: ['webhook.not-found'],
    aggregates: async ({ params }) => [['social', 'webhook', params.id]],
    run: ({ params, services }) => webhookOf(services, params.id),
  }),
  ...changes,
  ...deliveries,
  listEventTypes: operation({
    method: 'GET',
    path: '/webhook-event-types',
    family: 'webhooks',
    access: 'read',
    summary: 'Lists types of events that webhooks and `/events` can tell, by name',
    query: pageQuery,
    answer: pageOf(z.object({ type: z.string(), meaning: z.string() }).meta({ id: 'EventType' })),
    run: async ({ query }) => {
      const page = pageByText(allPublicEventTypes, query, (type) => type);
      return { ...page, items: page.items.map((type) => ({ type, meaning: publicEventTypes[type] })) };
    },
  }),
};
