import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { judgeCertificate } from './certificates.check.js';
import { skewOf } from './clocks.check.js';
import { judgeDurability } from './durability.check.js';
import { describeFinding, fault, ok } from './finding.js';
import { queueFaults, streamFaults } from './nats.check.js';
import { judgeUse } from './room.check.js';
import { checkSearchIndexes } from './search.check.js';

describe('clocks', () => {
  it('agree when they say a time between question and answer', () => {
    expect(skewOf(1000, 1400, 2000)).toBe(0);
  });

  it('are ahead or behind by what is beyond that', () => {
    expect([skewOf(1000, 9000, 2000), skewOf(1000, 400, 2000)]).toEqual([7000, -600]);
  });
});

describe('room', () => {
  const words = { detail: 'so much', remedy: 'make room' };

  it('is well, scarce, or gone', () => {
    const statuses = [10, 86, 98].map((used) => judgeUse('Room', used, 100, words).status);
    expect(statuses).toEqual(['ok', 'warning', 'fault']);
  });

  it('without a limit is well', () => {
    expect(judgeUse('Room', 1e12, -1, words).status).toBe('ok');
  });
});

describe('certificates', () => {
  const now = Date.UTC(2026, 0, 1);
  const inDays = (days: number): number => now + days * 86_400_000 + 1;

  it('are looked at while there is time', () => {
    const statuses = [100, 10, -1].map((days) => judgeCertificate('x', inDays(days), now));
    expect(statuses.map(({ status }) => status)).toEqual(['ok', 'warning', 'fault']);
    expect(statuses[1]?.detail).toBe('is good for 10 days more (2026-01-11)');
  });
});

describe('what NATS says of its disk', () => {
  it('is well only when it acknowledges what is on it', () => {
    const said = (config: object) => judgeDurability('nats-0', { jetstream: { config } });
    expect(said({ sync_always: true, sync_interval: 120e9 })).toMatchObject({ status: 'ok' });
    expect(said({ sync_interval: 120e9 })).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('every 120 s'),
      remedy: expect.stringContaining('sync_interval: always'),
    });
    expect(judgeDurability('nats-0', { jetstream: {} })).toBeUndefined();
    expect(judgeDurability('nats-0', 'no such page')).toBeUndefined();
  });
});

describe('work queues', () => {
  it('keep what they were given until it is done', () => {
    const good = { retention: RetentionPolicy.Workqueue, storage: StorageType.File, discard: DiscardPolicy.New } as StreamConfig;
    expect(queueFaults(good)).toEqual([]);
    expect(
      queueFaults({ ...good, retention: RetentionPolicy.Limits, discard: DiscardPolicy.Old, storage: StorageType.Memory }),
    ).toHaveLength(3);
  });
});

describe('search indexes', () => {
  const ask = (failure: Error): ReturnType<typeof checkSearchIndexes> =>
    checkSearchIndexes({ nats: { request: () => Promise.reject(failure) } as unknown as NatsConnection });

  it('that nobody keeps are told of, but for Meilisearch, which nobody has to have', async () => {
    const nobody = new errors.RequestError('no responders', { cause: new errors.NoRespondersError('search') });
    const findings = await ask(nobody);
    expect(findings.map(({ detail }) => detail)).toEqual(findings.map(() => 'nobody keeps it'));
    expect(findings.map(({ subject }) => subject)).not.toContain('Search index meilisearch');
  });

  it('with a silent keeper are told apart from those', async () => {
    const findings = await ask(new errors.TimeoutError());
    expect(findings.map(({ subject }) => subject)).toContain('Search index meilisearch');
    expect(findings[0]?.detail).toBe('its keeper does not answer (timeout)');
  });
});

describe('findings', () => {
  const good = {
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_msgs: -1,
    max_bytes: -1,
    allow_direct: true,
    allow_atomic: true,
    metadata: { 'continuo-epoch': 'e' },
  } as unknown as StreamConfig;

  it('knows the settings of a safe stream', () => {
    expect(streamFaults(good)).toEqual([]);
    expect(streamFaults({ ...good, storage: StorageType.Memory, max_age: 5 })).toEqual([
      'is not kept on disk',
      'is limited in age or size',
    ]);
  });

  it('prints a remedy under each fault', () => {
    expect(describeFinding(ok('NATS', 'answers'))).toEqual(['[ ok ] NATS: answers']);
    expect(describeFinding(fault('NATS', 'silent', 'start it'))).toEqual(['[FAIL] NATS: silent', '       → start it']);
  });
});
