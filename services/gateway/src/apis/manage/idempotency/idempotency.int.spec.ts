import { credentialSealer } from '@continuo/chassis';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jetStreamIdempotency } from './idempotency.adapter.js';
import { inMemoryIdempotency } from '../../../../test/fakes/in-memory-stores.js';
import type { Claim, IdempotencyStore } from './idempotency.js';

const answer = { status: 201, headers: { etag: '"a"' }, body: '{"id":1}' };
let server: TestNats;
let nats: NatsConnection;

const onServer = (): IdempotencyStore =>
  jetStreamIdempotency({ nats, log: pino({ level: 'silent' }), now: Date.now, replicas: 1, sealer: credentialSealer('s'.repeat(40)) });

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  if (!nats.isClosed()) await nats.close();
  await server.stop();
});

const taken = (claim: Claim): Extract<Claim, { kind: 'new' }> => {
  if (claim.kind !== 'new') throw new Error(`the key is ${claim.kind}`);
  return claim;
};

describe.each([
  ['in memory', () => inMemoryIdempotency(Date.now)],
  ['in JetStream', onServer],
])('idempotency keys %s', (_where, make) => {
  it('are claimed once, run, and answer the same again', async () => {
    const store = make();
    const claim = taken(await store.claim('one', 'request'));
    expect(await store.claim('one', 'request')).toEqual({ kind: 'running' });
    await claim.finish(answer);
    expect(await store.claim('one', 'request')).toEqual({ kind: 'answered', answer });
    expect(await store.claim('one', 'another request')).toEqual({ kind: 'reused' });
  });

  it('are free again when they are released', async () => {
    const store = make();
    await taken(await store.claim('two', 'request')).release();
    expect((await store.claim('two', 'another request')).kind).toBe('new');
  });

  it('belong to one of many who come at once', async () => {
    const store = make();
    const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim('three', 'request')));
    expect(claims.filter(({ kind }) => kind === 'new')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'running')).toHaveLength(7);
  });
});
