import { setTimeout as delay } from 'node:timers/promises';
import { TRANSCODE_ASK_SUBJECT, transcodeTarget, transcodeRequest, type WorkerAvailability } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askWorkers } from './ask-workers.js';
import { WorkerRoster } from './worker-roster.js';

let nats: TestNats;
let gateway: NatsConnection;
let workers: NatsConnection;

beforeAll(async () => {
  nats = await testNats();
  [gateway, workers] = await Promise.all([connect({ servers: nats.url }), connect({ servers: nats.url })]);
});
afterEach(async () => {
  for (const subscription of subscriptions.splice(0)) subscription.unsubscribe();
  await workers.flush();
});
afterAll(async () => {
  await Promise.all([gateway.close(), workers.close()]);
  await nats.stop();
});

const subscriptions: { unsubscribe(): void }[] = [];
/** A worker that answers so late, or never. */
const worker = async (answer: WorkerAvailability, afterMs: number): Promise<void> => {
  subscriptions.push(
    workers.subscribe(TRANSCODE_ASK_SUBJECT, {
      callback: (_error, message) => {
        if (Number.isFinite(afterMs)) void delay(afterMs).then(() => message.respond(JSON.stringify(answer)));
      },
    }),
  );
  await workers.flush();
};
const request = transcodeRequest.parse({
  source: { catalogPath: '/music', path: 'a.flac', sizeBytes: 1000, modifiedAtMs: 0, durationMs: 1000 },
  target: transcodeTarget.parse({ format: 'mp3' }),
});
const ask = (): Promise<readonly WorkerAvailability[]> => askWorkers(gateway, new WorkerRoster(() => performance.now()), request);
const free = (workerId: string): WorkerAvailability => ({ state: 'free', workerId, freeSlots: 1 });

describe('asking the workers', () => {
  it('knows at once that nobody listens', async () => {
    expect(await Promise.race([ask(), delay(5000, 'still waiting')])).toEqual([]);
  });

  it('waits for a late one when nobody else is there', async () => {
    await worker(free('late'), 2500);
    expect(await ask()).toEqual([free('late')]);
  });

  it('does not wait for a silent one when another takes the request', async () => {
    await Promise.all([worker(free('silent'), Number.POSITIVE_INFINITY), worker(free('swift'), 0)]);
    expect(await ask()).toEqual([free('swift')]);
  });

  it('waits for one that has fallen silent only once', async () => {
    const busy: WorkerAvailability = { state: 'busy', workerId: 'busy', retryAfterSeconds: 1 };
    await worker(busy, 0);
    const roster = new WorkerRoster(() => performance.now());
    for (const id of ['busy', 'dead']) roster.note(id, true);
    expect(await askWorkers(gateway, roster, request)).toEqual([busy]);
    expect(roster.present()).toEqual(['busy']);
  });

  it('gives up on workers of which none says anything', async () => {
    await worker(free('silent'), Number.POSITIVE_INFINITY);
    expect(await ask()).toEqual([]);
  });
});
