import { setTimeout as delay } from 'node:timers/promises';
import { projectedSubject, readModelProjections } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordingLog } from '../../test/recording-log.js';
import { NatsProjectionWatch } from './projection-watch.js';

const at = (position: number) => [{ stream: 'EV_LIBRARY' as const, position }];

describe('waiting for projections', () => {
  let server: TestNats;
  let nats: NatsConnection;
  let watch: NatsProjectionWatch;
  let checkpoints: Map<string, number>;
  let reads: number;
  /** Sets the checkpoints of all that read the stream, without a notice. */
  const reach = (position: number): void => readModelProjections.EV_LIBRARY.forEach((projection) => checkpoints.set(projection, position));
  const tell = (position: number): void => {
    for (const projection of readModelProjections.EV_LIBRARY)
      nats.publish(projectedSubject(projection), JSON.stringify({ projection, stream: 'EV_LIBRARY', position }));
  };
  const commit = (position: number): void => {
    reach(position);
    tell(position);
  };

  beforeAll(async () => {
    server = await testNats();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    nats = await connect({ servers: server.url });
    checkpoints = new Map();
    reads = 0;
    const read = (): Promise<ReadonlyMap<string, number>> => {
      reads += 1;
      return Promise.resolve(new Map(checkpoints));
    };
    watch = new NatsProjectionWatch(nats, read, recordingLog().log);
  });
  afterEach(async () => {
    await watch.stop();
    await nats.close();
  });

  it('resolves when the notice of the position comes', async () => {
    const waiting = watch.waitFor(at(7), 20_000);
    await delay(50);
    tell(6);
    await delay(20);
    // The checkpoints would not say so.
    tell(8);
    await expect(waiting).resolves.toBe(true);
  });

  it('does not wait at all for what it knows', async () => {
    commit(8);
    await watch.waitFor(at(8));
    const before = reads;
    expect([await watch.waitFor(at(8)), reads - before]).toEqual([true, 0]);
  });

  it('finds what was committed before it listened by one read of the checkpoints, for all who wait', async () => {
    reach(100);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => watch.waitFor(at(100), 20_000)));
    expect(outcomes.every(Boolean)).toBe(true);
    expect(reads).toBe(1);
  });

  it('finds a position whose notice was lost', async () => {
    commit(5);
    await watch.waitFor(at(5));
    const waiting = watch.waitFor(at(6), 1000);
    reach(6);
    await expect(waiting).resolves.toBe(true);
  });

  it('answers false when the time is up', async () => {
    commit(5);
    await expect(watch.waitFor(at(6), 300)).resolves.toBe(false);
  });

  it('believes no notice over a replica, which is behind it', async () => {
    const behind = new NatsProjectionWatch(nats, async () => new Map(checkpoints), recordingLog().log, { isReplica: true });
    try {
      reach(6);
      await expect(behind.waitFor(at(6))).resolves.toBe(true);
      tell(7);
      await nats.flush();
      await expect(behind.waitFor(at(7), 200)).resolves.toBe(false);
      const waiting = behind.waitFor(at(7), 5000);
      reach(7);
      await expect(waiting).resolves.toBe(true);
    } finally {
      await behind.stop();
    }
  });

  it('waits for nothing where there are no positions', async () => {
    await expect(watch.waitFor([], 10)).resolves.toBe(true);
  });
});
