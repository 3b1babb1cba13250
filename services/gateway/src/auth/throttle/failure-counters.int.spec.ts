import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { jetStreamFailureCounters, type OpenFailureCounters } from './failure-counters.adapter.js';

const WINDOW_MS = 60_000;
const log = pino({ level: 'silent' });
let turned = 0;
let server: TestNats;
let connections: NatsConnection[];
let left: OpenFailureCounters;
let right: OpenFailureCounters;

beforeAll(async () => {
  server = await testNats();
  connections = await Promise.all([1, 2].map(() => connect({ servers: server.url })));
  const [one, two] = connections.map((nats) => ({ nats, log, now: () => Date.now() + turned, replicas: 1, windowMs: WINDOW_MS }));
  if (one && two) [left, right] = [await jetStreamFailureCounters(one), await jetStreamFailureCounters(two)];
});
afterAll(async () => {
  await Promise.all([left.close(), right.close()]);
  for (const nats of connections) await nats.close();
  await server.stop();
});

describe('failure counters on two gateways', () => {
  it('add up', async () => {
    for (let n = 0; n < 3; n += 1) await Promise.all([left.add('u.ada'), right.add('u.ada')]);
    await vi.waitFor(() => expect([left, right].map((counters) => counters.peek('u.ada')?.count)).toEqual([6, 6]), {
      timeout: 20_000,
      interval: 5,
    });
    expect(left.peek('u.bob')).toBeUndefined();
  });

  it('count at once, before anything is written', async () => {
    const writes = Array.from({ length: 20 }, () => left.add('u.cyd'));
    expect(left.peek('u.cyd')?.count).toBe(20);
    await Promise.all(writes);
  });

  it('start anew after the window', async () => {
    await left.add('u.dan');
    turned = WINDOW_MS;
    expect(left.peek('u.dan')).toBeUndefined();
    await left.add('u.dan');
    await vi.waitFor(() => expect(right.peek('u.dan')?.count).toBe(1), { timeout: 20_000, interval: 5 });
  });
});
