import { setTimeout as delay } from 'node:timers/promises';
import { DEAD_LETTER_STREAM, jobStreams, type CommandMessage } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../metrics.js';
import { noTelemetry } from '../telemetry/tracing.js';
import { recordingLog } from '../../test/recording-log.js';
import type { JobOptions } from '../transport/handlers.js';
import { decodeMessage } from '../transport/message.js';
import { listDeadLetters, replayDeadLetters, type DeadLetter } from './dead-letters.js';
import { JetStreamJobQueue } from './jetstream-job-queue.js';
import { context, jobQueueContract, polish, sweep } from '../../test/jobs/job-queue.contract.js';
import { RetryLater, type JobDelivery } from './job-queue.js';
import { ensureJobStreams } from './job-streams.js';
import type { WorkHandler } from './delivery-run.js';
import type { WorkerDependencies } from './delivery-worker.js';
import { JobWorker } from './job-worker.js';

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
const connections: NatsConnection[] = [];
const workers: JobWorker[] = [];

const join = async (): Promise<NatsConnection> => {
  const connection = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1, noAsyncTraces: true });
  connections.push(connection);
  return connection;
};
beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());
beforeEach(async () => {
  nats = await join();
  manager = await jetstreamManager(nats);
  await ensureJobStreams(manager, ['ingest'], 1);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.drain()));
  for (const stream of [jobStreams.ingest, DEAD_LETTER_STREAM, 'KV_job_handbacks']) {
    await manager.streams.delete(stream).catch(() => undefined);
  }
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
});

jobQueueContract('JetStreamJobQueue', async () => {
  const nc = await join();
  const jsm = await jetstreamManager(nc);
  await ensureJobStreams(jsm, ['ingest'], 1);
  return {
    queue: new JetStreamJobQueue(jetstream(nc)),
    waiting: async () => {
      const { messages } = (await jsm.streams.info(jobStreams.ingest)).state;
      const found: { subject: string; message: CommandMessage }[] = [];
      for (let seq = 1; seq <= messages; seq += 1) {
        const stored = await jsm.streams.getMessage(jobStreams.ingest, { seq });
        if (stored)
          found.push({
            subject: stored.subject,
            message: decodeMessage(stored.data, stored.header, stored.subject === sweep.subject ? sweep.schema : polish.schema),
          });
      }
      return found;
    },
    stop: () => nc.close(),
  };
});

describe('jobs on JetStream', () => {
  const toolsOn = (on: NatsConnection, drainTimeoutMs = 1000): WorkerDependencies & { lines: Record<string, unknown>[] } => {
    const { log, lines } = recordingLog();
    return { nats: on, log, lines, metrics: createMetrics('spec'), tracer: noTelemetry.tracer, replicas: 1, drainTimeoutMs };
  };
  const work = async (handler: WorkHandler, options?: JobOptions, tools = toolsOn(nats)): Promise<JobWorker> => {
    const worker = new JobWorker(tools, sweep, handler, options);
    await worker.start();
    workers.push(worker);
    return worker;
  };
  const enqueue = (id: string, room = 'hall'): Promise<void> =>
    new JetStreamJobQueue(jetstream(nats)).enqueue(sweep, id, { room }, context);
  const left = async (): Promise<number> => (await manager.streams.info(jobStreams.ingest)).state.messages;
  const deadLetters = async (): Promise<DeadLetter[]> => {
    const letters: DeadLetter[] = [];
    for await (const letter of listDeadLetters(nats)) letters.push(letter);
    return letters;
  };

  it('hands the job over with its context and removes it when done', async () => {
    const seen: { data: unknown; delivery: JobDelivery }[] = [];
    await work((data, delivery) => {
      seen.push({ data, delivery });
      return Promise.resolve();
    });
    await enqueue('job-1');
    await vi.waitFor(async () => expect(await left()).toBe(0), 20_000);
    expect(seen).toMatchObject([
      { data: { room: 'hall', broom: 'old' }, delivery: { actor: 'user:7', correlationId: 'corr-1', causationId: 'job-1', attempt: 1 } },
    ]);
  });

  it('works on no more jobs at once than it may, and gives the rest to another replica', async () => {
    let [now, most] = [0, 0];
    const counts = [0, 0];
    const handler =
      (index: number): WorkHandler =>
      async () => {
        now += 1;
        most = Math.max(most, now);
        counts[index] = (counts[index] ?? 0) + 1;
        await delay(30);
        now -= 1;
      };
    await work(handler(0), { concurrency: 2 });
    await work(handler(1), { concurrency: 2 }, toolsOn(await join()));
    await Promise.all(Array.from({ length: 20 }, (_, n) => enqueue(`job-${n}`)));
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
    expect(most).toBe(4);
    expect(counts[0]! + counts[1]!).toBe(20);
    expect(Math.min(...counts)).toBeGreaterThan(3);
  });

  it('keeps a job that takes longer than the acknowledgement time', async () => {
    let runs = 0;
    const handler: WorkHandler = async () => {
      runs += 1;
      await delay(5000);
    };
    await work(handler, { ackWaitMs: 2000 });
    await work(handler, { ackWaitMs: 2000 }, toolsOn(await join()));
    await enqueue('job-1');
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
    expect(runs).toBe(1);
  });

  it('tries a failed job again, with a pause', async () => {
    const attempts: number[] = [];
    const startedAt = Date.now();
    await work((_, { attempt }) => {
      attempts.push(attempt);
      return attempt < 2 ? Promise.reject(new Error('broken')) : Promise.resolve();
    });
    await enqueue('job-1');
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
    expect(attempts).toEqual([1, 2]);
    expect(Date.now() - startedAt).toBeGreaterThan(700);
    expect(await deadLetters()).toEqual([]);
  });

  it('puts a job aside after its last attempt, and replays it on request', async () => {
    let broken = true;
    const done: unknown[] = [];
    await work(
      (data) => {
        if (broken) return Promise.reject(new Error('broken\nbeyond repair'));
        done.push(data);
        return Promise.resolve();
      },
      { maxAttempts: 1 },
    );
    await enqueue('job-1', 'attic');
    await vi.waitFor(async () => expect(await deadLetters()).toHaveLength(1), 20_000);
    expect(await deadLetters()).toMatchObject([
      { subject: 'jobs.ingest.sweep', attempts: 1, reason: 'attempt 1 failed: Error: broken beyond repair', atMs: expect.any(Number) },
    ]);
    expect(await left()).toBe(0);
    broken = false;
    expect(await replayDeadLetters(nats, { subject: 'jobs.transcode.>' })).toBe(0);
    expect(await replayDeadLetters(nats, { subject: 'jobs.ingest.>' })).toBe(1);
    await vi.waitFor(() => expect(done).toEqual([{ room: 'attic', broom: 'old' }]), 20_000);
    expect(await deadLetters()).toEqual([]);
  });

  it('puts what it cannot read aside at once', async () => {
    const ran = vi.fn<WorkHandler>(() => Promise.resolve());
    await work(ran);
    const js = jetstream(nats);
    await js.publish(sweep.subject, 'rubbish');
    await js.publish(sweep.subject, JSON.stringify({ ...context, id: 'job-1', at: 1, data: { room: 5 } }));
    await vi.waitFor(
      async () =>
        expect((await deadLetters()).map(({ reason }) => reason)).toEqual([
          'undecodable: the message is not JSON',
          expect.stringMatching(/^undecodable: room: /),
        ]),
      20_000,
    );
    expect(await left()).toBe(0);
    expect(ran).not.toHaveBeenCalled();
  });

  it('does not count it as an attempt when a job asks for a later time', async () => {
    const attempts: number[] = [];
    const tools = toolsOn(nats);
    await work(
      (_, { attempt }) => {
        attempts.push(attempt);
        return attempts.length < 4 ? Promise.reject(new RetryLater(20)) : Promise.resolve();
      },
      { maxAttempts: 2 },
      tools,
    );
    await enqueue('job-1');
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
    expect(attempts).toEqual([1, 1, 1, 1]);
    expect(await deadLetters()).toEqual([]);
    expect(tools.lines.filter(({ level }) => level === 50)).toEqual([]);
  });

  it('stops a job when it drains, hands it back, and another replica goes on with it at once', async () => {
    const attempts: number[] = [];
    const first = await work(async (_, { attempt, signal }) => {
      attempts.push(attempt);
      await delay(60_000, undefined, { signal });
    });
    await enqueue('job-1');
    await vi.waitFor(() => expect(attempts).toEqual([1]), 20_000);
    await first.drain();
    expect(await left()).toBe(1);
    await work(
      (_, { attempt }) => {
        attempts.push(attempt);
        return Promise.resolve();
      },
      {},
      toolsOn(await join()),
    );
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
    expect(attempts).toEqual([1, 1]);
  });

  it('lets a job finish while draining, and hands back one that does not stop in time', async () => {
    let started = 0;
    const ends: string[] = [];
    const worker = await work(
      async (data) => {
        started += 1;
        const { room } = data as { room: string };
        await delay(room === 'quick' ? 150 : 5000, undefined, { ref: false });
        ends.push(room);
      },
      { concurrency: 2 },
      toolsOn(nats, 400),
    );
    await enqueue('job-1', 'quick');
    await enqueue('job-2', 'slow');
    await vi.waitFor(() => expect(started).toBe(2), 20_000);
    const startedAt = Date.now();
    await worker.drain();
    expect(Date.now() - startedAt).toBeLessThan(4800);
    expect(ends).toEqual(['quick']);
    expect(await left()).toBe(1);
  });

  it('gives the job of a worker that died to another one, and gives up on a job that kills its workers', async () => {
    const attempts: number[] = [];
    for (const round of [1, 2]) {
      const connection = await join();
      const worker = new JobWorker(
        toolsOn(connection),
        sweep,
        (_, { attempt }) => {
          attempts.push(attempt);
          return new Promise(() => undefined);
        },
        { ackWaitMs: 300, maxAttempts: 2 },
      );
      await worker.start();
      if (round === 1) await enqueue('job-1');
      await vi.waitFor(() => expect(attempts).toHaveLength(round), { timeout: 20_000 });
      await connection.close(); // As far as the server can tell, the process is gone.
    }
    expect(attempts).toEqual([1, 2]);
    await work(() => Promise.resolve(), { ackWaitMs: 300, maxAttempts: 2 });
    await vi.waitFor(async () => expect(await deadLetters()).toMatchObject([{ reason: 'given up after 2 attempts that did not end' }]), {
      timeout: 20_000,
    });
  });

  it('tells a job that its claim is lost when the server cannot hear it any more', async () => {
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<string>();
    await work(
      (_, { signal }) =>
        new Promise((resolve) => {
          begun.resolve();
          signal.addEventListener('abort', () => {
            aborted.resolve(String(signal.reason));
            resolve();
          });
        }),
      { ackWaitMs: 600 },
    );
    await enqueue('job-1');
    await begun.promise;
    await server.kill();
    await expect(aborted.promise).resolves.toContain('the claim on the job is lost');
    await server.restart();
    // What cleans up behind a test would be dropped by a client that is not yet connected again.
    await vi.waitFor(() => nats.rtt(), { timeout: 20_000 });
  });

  it('takes over the settings of a newer release', async () => {
    const older = await work(() => Promise.resolve(), { ackWaitMs: 400 });
    await older.drain();
    await work(() => Promise.resolve(), { ackWaitMs: 900 });
    expect((await manager.consumers.info(jobStreams.ingest, 'ingest-sweep')).config.ack_wait).toBe(900 * 1e6);
  });

  it('has no dead letters where there is no stream of them', async () => {
    await manager.streams.delete(DEAD_LETTER_STREAM);
    expect(await deadLetters()).toEqual([]);
    expect(await replayDeadLetters(nats)).toBe(0);
  });

  it('goes on after a restart of the server', async () => {
    const done: unknown[] = [];
    await work((data) => {
      done.push(data);
      return Promise.resolve();
    });
    await enqueue('job-1');
    await vi.waitFor(() => expect(done).toHaveLength(1), 20_000);
    await server.crashAndRestart();
    await vi.waitFor(() => enqueue('job-2'), { timeout: 10_000 });
    await vi.waitFor(() => expect(done).toHaveLength(2), { timeout: 10_000 });
  });
});
