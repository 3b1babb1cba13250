import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NatsCommandClient, openDatabase } from '@continuo/chassis';
import { addWebhook, rateObject, userId, type ReadModel } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { RECEIVER_HOST, WebhookReceiver } from '../../test/webhook-receiver.js';

/** The built program: child processes do not read TypeScript. */
const PROGRAM = join(import.meta.dirname, '../../../../tools/standalone/bundle/social.js');
const WAIT = { timeout: 30_000, interval: 50 };
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

let nats: TestNats;
let postgres: TestPostgres;
let receiver: WebhookReceiver;
let connection: NatsConnection;
let commands: NatsCommandClient;
let replicas: ChildProcess[] = [];

const run = (): ChildProcess => {
  const env = {
    PATH: '/usr/bin:/bin',
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET: 'x'.repeat(32),
    CONTINUO_ADMIN_PASSWORD: 'sesame',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOWED_NETWORKS: RECEIVER_HOST,
    WEBHOOK_FIRST_RETRY_MS: '100',
    DRAIN_TIMEOUT_MS: '1000',
  };
  const replica = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  replicas.push(replica);
  return replica;
};
const end = async (some: readonly ChildProcess[], signal: NodeJS.Signals): Promise<void> => {
  const over = some.map((replica) => once(replica, 'exit'));
  for (const replica of some) replica.kill(signal);
  await Promise.all(over);
  replicas = replicas.filter((replica) => !some.includes(replica));
};

beforeAll(async () => {
  [nats, postgres, receiver] = await Promise.all([testNats(), testPostgres(), WebhookReceiver.start()]);
  connection = await connect({ servers: nats.url });
  commands = new NatsCommandClient(connection);
  run();
  run();
  await vi.waitFor(() => rate(1), WAIT);
});
afterAll(async () => {
  await end(replicas, 'SIGKILL');
  await connection.close();
  receiver.stop();
  await Promise.all([nats.stop(), postgres.stop()]);
});

const rate = async (objectId: number): Promise<string> => {
  await commands.send(rateObject, { userId: userId.parse(1), kind: 'genre', objectId, rating: 5 }, context);
  return String(objectId);
};
const add = async (path: string): Promise<number> => {
  const { result } = await commands.send(addWebhook, { url: receiver.url(path), patterns: ['rating.set'] }, context);
  return result.webhookId;
};
const objectsAt = (path: string): string[] => receiver.at(path).map(({ event }) => event.object.id);
const outcomes = async (webhookId: number): Promise<string[]> => {
  const db = openDatabase<ReadModel>({ url: postgres.url, poolSize: 1, applicationName: 'spec' });
  try {
    const rows = await db.selectFrom('social.webhook_delivery').select('outcome').where('webhook_id', '=', webhookId).execute();
    return rows.map(({ outcome }) => outcome);
  } finally {
    await db.destroy();
  }
};

it('goes on with another replica when the one that tells is killed in the middle, with the same id and in order', async () => {
  receiver.answers.set('/killed', () => (receiver.at('/killed').length === 2 ? 'never' : { status: 204 }));
  const webhookId = await add('/killed');
  const wanted = [await rate(10), await rate(11), await rate(12)];
  await vi.waitFor(() => expect(receiver.at('/killed')).toHaveLength(2), WAIT);
  // Which replica waits for its answer cannot be seen from here: one after the other is killed, and another takes its place.
  for (const replica of replicas.slice()) {
    run();
    await end([replica], 'SIGKILL');
  }
  await vi.waitFor(() => expect(objectsAt('/killed')).toEqual([wanted[0], wanted[1], wanted[1], wanted[2]]), WAIT);
  const [, first, second] = receiver.at('/killed');
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
  await vi.waitFor(async () => expect(await outcomes(webhookId)).toEqual(['delivered', 'delivered', 'delivered']), WAIT);
});

it('tells after a restart of everything what happened before and meanwhile, and nothing twice', async () => {
  await add('/restart');
  const wanted = [await rate(20)];
  await vi.waitFor(() => expect(objectsAt('/restart')).toEqual(wanted), WAIT);
  receiver.answers.set('/restart', () => ({ status: 503 }));
  wanted.push(await rate(21), await rate(22));
  await vi.waitFor(() => expect(receiver.at('/restart').length).toBeGreaterThan(2), WAIT);
  await end(replicas, 'SIGTERM');
  await nats.crashAndRestart();
  receiver.answers.delete('/restart');
  const before = receiver.at('/restart').length;
  run();
  run();
  await vi.waitFor(() => expect(objectsAt('/restart').slice(before)).toEqual(wanted.slice(1)), WAIT);
  await vi.waitFor(() => rate(23), WAIT);
  await vi.waitFor(() => expect(objectsAt('/restart').slice(before)).toEqual([...wanted.slice(1), '23']), WAIT);
});
