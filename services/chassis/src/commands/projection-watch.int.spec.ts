import { setTimeout as delay } from 'node:timers/promises';
import { projectedSubject, readModelProjections } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordingLog } from '../testkit/recording-log.js';
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
  const commit = (position: number): void => {
    reach(position);
    for (const projection of readModelProjections.EV_LIBRARY)
      nats.publish(projectedSubject(projection), JSON.stringify({ projection, stream: 'EV_LIBRARY', position }));
  };
  const took = async (work: Promise<boolean>): Promise<[boolean, number]> => {
    const startedAt = performance.now();
    return [await work, performance.now() - startedAt];
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
    const waiting = took(watch.waitFor(at(7)));
    await delay(50);
    commit(6);
    await delay(20);
    commit(8);
    const [passed, ms] = await waiting;
    expect(passed).toBe(true);
    expect(ms).toBeLessThan(200);
  });

  it('does not wait at all for what it knows', async () => {
    commit(8);
    await watch.waitFor(at(8));
    const before = reads;
    const [passed, ms] = await took(watch.waitFor(at(8)));
    expect([passed, ms < 2, reads - before]).toEqual([true, true, 0]);
  });

  it('finds what was committed before it listened by one read of the checkpoints, for all who wait', async () => {
    reach(100);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => took(watch.waitFor(at(100)))));
    expect(outcomes.every(([passed, ms]) => passed && ms < 100)).toBe(true);
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
    const [passed, ms] = await took(watch.waitFor(at(6), 300));
    expect(passed).toBe(false);
    expect(ms).toBeLessThan(400);
  });

  it('waits for nothing where there are no positions', async () => {
    await expect(watch.waitFor([], 10)).resolves.toBe(true);
  });
});
