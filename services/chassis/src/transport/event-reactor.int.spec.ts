import { setTimeout as delay } from 'node:timers/promises';
import { DEAD_LETTER_STREAM, defineEvent, eventSubject, type DomainEvent, type RecordedEvent } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { registerEvents } from '../event-store/catalogue.js';
import { ensureEventStreams } from '../event-store/streams.js';
import { listDeadLetters, replayDeadLetters, type DeadLetter } from '../jobs/dead-letters.js';
import type { WorkHandler } from '../jobs/delivery-run.js';
import { RetryLater, type JobDelivery } from '../jobs/job-queue.js';
import { REACTION_STREAM } from '../jobs/job-streams.js';
import { createMetrics } from '../metrics.js';
import { noTelemetry } from '../telemetry/tracing.js';
import { recordingLog } from '../../test/recording-log.js';
import { EventReactor, type ReactorDependencies } from './event-reactor.js';
import type { Reaction } from './handlers.js';

const rung = defineEvent('BellRung', z.object({ times: z.int() }));
const cast = defineEvent('BellCast', z.object({ metal: z.string(), weightKg: z.int() }), {
  v: 2,
  upcasters: { 1: (data: { metal: string }) => ({ ...data, weightKg: 50 }) },
});
const cracked = defineEvent('BellCracked', z.object({}));
// Other specs of the process must not know them.
afterAll(registerEvents([rung, cast, cracked]));

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
/** Damage is for the spec of damaged logs. */
const logWatch = { requireCompleteUpTo: () => Promise.resolve() };
const connections: NatsConnection[] = [];
const reactors: EventReactor[] = [];

const join = async (): Promise<NatsConnection> => {
  const connection = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1, noAsyncTraces: true });
  connections.push(connection);
  return connection;
};
const toolsOn = (on: NatsConnection, drainTimeoutMs = 1000): ReactorDependencies & { lines: Record<string, unknown>[] } => {
  const { log, lines } = recordingLog();
  const metrics = createMetrics('spec');
  return { service: 'tower', nats: on, log, lines, metrics, tracer: noTelemetry.tracer, replicas: 1, drainTimeoutMs, logWatch };
};
const react = async (handler: WorkHandler, changes: Partial<Reaction> = {}, tools = toolsOn(nats)): Promise<EventReactor> => {
  const reaction: Reaction = { context: 'social', name: 'ringer', definitions: [rung], options: {}, ...changes };
  const reactor = new EventReactor(tools, reaction, handler);
  await reactor.start();
  reactors.push(reactor);
  return reactor;
};
/** Appends to one bell and answers the position of the last event. */
const append = async (bell: number, ...events: DomainEvent[]): Promise<number> => {
  const store = new JetStreamEventStore(nats, manager);
  const expectedPosition = (await store.read('social', 'bell', bell)).at(-1)?.position ?? 0;
  const meta = { actor: 'user:7', correlationId: 'corr-1', causationId: 'cause-1', at: 1000 };
  return (await store.append([{ context: 'social', aggregate: 'bell', id: bell, expectedPosition, events }], meta)).position;
};
/** Writes what no event store of this release would write. */
const appendRaw = async (type: string | undefined, v: number, body: string): Promise<void> => {
  const h = headers();
  if (type) h.set('Continuo-Type', type);
  h.set('Continuo-V', String(v));
  await nats.request(eventSubject('social', 'bell', 99), body, { headers: h, timeout: 20_000 });
};
/** Number of unfinished events of the reactor, by its consumer: not delivered yet, and at work. */
const unsettled = async (durable = 'tower-ringer'): Promise<{ waiting: number; atWork: number }> => {
  const { delivered, num_ack_pending } = await manager.consumers.info('EV_SOCIAL', durable);
  const { last_seq } = (await manager.streams.info('EV_SOCIAL')).state;
  return { waiting: last_seq - delivered.stream_seq, atWork: num_ack_pending };
};
const settled = (durable?: string, timeout = 20_000) =>
  vi.waitFor(async () => expect(await unsettled(durable)).toEqual({ waiting: 0, atWork: 0 }), { timeout });
const deadLetters = async (): Promise<DeadLetter[]> => {
  const letters: DeadLetter[] = [];
  for await (const letter of listDeadLetters(nats)) letters.push(letter);
  return letters;
};
/** A handler that notes how often each bell was rung. */
const noting =
  (seen: number[]): WorkHandler =>
  (payload) => {
    seen.push((payload as RecordedEvent<ReturnType<typeof rung>>).data.times);
    return Promise.resolve();
  };

beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());
beforeEach(async () => {
  nats = await join();
  manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, ['social'], 1);
});
afterEach(async () => {
  await Promise.all(reactors.splice(0).map((reactor) => reactor.drain()));
  for (const stream of ['EV_SOCIAL', REACTION_STREAM, DEAD_LETTER_STREAM, 'KV_job_handbacks']) {
    await manager.streams.delete(stream).catch(() => undefined);
  }
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
});

describe('what a reactor gets', () => {
  it('is each event of the named types, with what its effects are to carry on', async () => {
    const seen: { payload: RecordedEvent; delivery: JobDelivery }[] = [];
    await react((payload, delivery) => {
      seen.push({ payload: payload as RecordedEvent, delivery });
      return Promise.resolve();
    });
    const position = await append(4, rung({ times: 3 }));
    await settled();
    const event = { type: 'BellRung', data: { times: 3 }, position, stream: 'EV_SOCIAL', subject: eventSubject('social', 'bell', 4) };
    expect(seen).toMatchObject([
      { payload: event, delivery: { actor: 'user:7', correlationId: 'corr-1', causationId: expect.any(String), attempt: 1 } },
    ]);
    expect(seen[0]?.delivery.causationId).toBe(seen[0]?.payload.id);
  });

  it('leaves out other types, whatever they hold', async () => {
    const seen: number[] = [];
    const tools = toolsOn(nats);
    await react(noting(seen), {}, tools);
    await append(1, cracked({}), rung({ times: 1 }), cast({ metal: 'iron', weightKg: 1 }));
    await appendRaw('BellCracked', 7, '<bell/>');
    await append(1, rung({ times: 2 }));
    await settled();
    expect(seen).toEqual([1, 2]);
    expect(await deadLetters()).toEqual([]);
    const counted = (await tools.metrics.jobs.get()).values.map(({ labels, value }) => [labels.outcome, labels.subject, value]);
    expect(counted).toEqual([
      ['skipped', 'react.tower-ringer', 3],
      ['done', 'react.tower-ringer', 2],
    ]);
  });

  it('begins with what is new, or with the whole log, when it runs for the first time', async () => {
    await append(1, rung({ times: 1 }));
    const [fromNow, fromStart]: [number[], number[]] = [[], []];
    const first = await react(noting(fromNow));
    await react(noting(fromStart), { name: 'chronicler', options: { startFrom: 'all' } });
    await append(1, rung({ times: 2 }));
    await settled();
    await first.drain();
    await append(1, rung({ times: 3 }));
    // It has run before: nothing that happened meanwhile is missed.
    await react(noting(fromNow));
    await settled();
    await settled('tower-chronicler');
    expect([fromNow, fromStart]).toEqual([
      [2, 3],
      [1, 2, 3],
    ]);
  });

  it('misses nothing when it starts before the service that owns the log', async () => {
    await manager.streams.delete('EV_SOCIAL');
    const seen: number[] = [];
    await react(noting(seen));
    await ensureEventStreams(manager, ['social'], 1);
    await append(1, rung({ times: 1 }));
    await settled();
    expect(seen).toEqual([1]);
  });

  it('is only what concerns the kinds of aggregate that it asks for, also after a change of mind', async () => {
    const seen: number[] = [];
    const first = await react(noting(seen), { options: { aggregates: ['gong', 'drum'] } });
    await append(1, rung({ times: 1 }));
    await delay(100);
    await first.drain();
    expect(seen).toEqual([]);
    await react(noting(seen), { options: { aggregates: ['bell'] } });
    await append(1, rung({ times: 2 }));
    await vi.waitFor(() => expect(seen.at(-1)).toBe(2), 20_000);
  });

  it('is brought to the newest version', async () => {
    const seen: unknown[] = [];
    await react(
      (payload) => {
        const { v, data } = payload as RecordedEvent;
        seen.push({ v, data });
        return Promise.resolve();
      },
      { definitions: [cast] },
    );
    await appendRaw('BellCast', 1, '{"metal":"bronze"}');
    await append(1, cast({ metal: 'iron', weightKg: 9 }));
    await settled();
    expect(seen).toEqual([
      { v: 2, data: { metal: 'bronze', weightKg: 50 } },
      { v: 2, data: { metal: 'iron', weightKg: 9 } },
    ]);
  });
});

describe('the load of a reactor', () => {
  it('is shared by two replicas, with no more events at once than each may take', async () => {
    let [now, most] = [0, 0];
    const counts = [0, 0];
    const handler =
      (index: number): WorkHandler =>
      async () => {
        now += 1;
        most = Math.max(most, now);
        counts[index] = (counts[index] ?? 0) + 1;
        await delay(20);
        now -= 1;
      };
    await react(handler(0), { options: { concurrency: 3 } });
    await react(handler(1), { options: { concurrency: 3 } }, toolsOn(await join()));
    for (let bell = 1; bell <= 5; bell += 1) await append(bell, ...Array.from({ length: 12 }, (_, n) => rung({ times: n })));
    await settled();
    expect(most).toBe(6);
    expect(counts[0]! + counts[1]!).toBe(60);
    expect(Math.min(...counts)).toBeGreaterThan(3);
  });

  it('keeps an event that takes longer than the acknowledgement time', async () => {
    let runs = 0;
    const handler: WorkHandler = async () => {
      runs += 1;
      await delay(5000);
    };
    await react(handler, { options: { ackWaitMs: 2000 } });
    await react(handler, { options: { ackWaitMs: 2000 } }, toolsOn(await join()));
    await append(1, rung({ times: 1 }));
    await settled();
    expect(runs).toBe(1);
  });

  it('is worked off in the order of the log, over all replicas, where that is asked for', async () => {
    const order: number[] = [];
    let [now, most] = [0, 0];
    const by = [0, 0];
    const handler =
      (index: number): WorkHandler =>
      async (payload, { attempt }) => {
        const { times } = (payload as RecordedEvent<ReturnType<typeof rung>>).data;
        now += 1;
        most = Math.max(most, now);
        by[index] = (by[index] ?? 0) + 1;
        await delay(2);
        now -= 1;
        if (times === 4 && attempt === 1) throw new Error('not yet');
        order.push(times);
      };
    const options = { order: 'log', concurrency: 5 } as const;
    await react(handler(0), { options });
    await react(handler(1), { options }, toolsOn(await join()));
    for (let n = 0; n < 10; n += 1) await append(n % 3, rung({ times: n }));
    await settled();
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(1);
    expect(Math.min(...by)).toBeGreaterThan(0);
  });

  it('lets others go ahead of an event that failed, where no order is asked for', async () => {
    const order: number[] = [];
    await react((payload, { attempt }) => {
      const { times } = (payload as RecordedEvent<ReturnType<typeof rung>>).data;
      if (times === 1 && attempt === 1) return Promise.reject(new Error('not yet'));
      order.push(times);
      return Promise.resolve();
    });
    await append(1, rung({ times: 1 }), rung({ times: 2 }), rung({ times: 3 }));
    await settled();
    expect(order).toEqual([2, 3, 1]);
  });
});

describe('an event that a reactor cannot handle', () => {
  it('is put aside after the last attempt, and replayed to this reactor alone, as often as need be', async () => {
    let broken = true;
    const done: RecordedEvent[] = [];
    const others: number[] = [];
    const options = { maxAttempts: 1 };
    await react(
      (payload) => {
        if (broken) return Promise.reject(new Error('the rope is torn'));
        done.push(payload as RecordedEvent);
        return Promise.resolve();
      },
      { options },
    );
    await react(noting(others), { name: 'listener', options });
    const position = await append(1, rung({ times: 5 }));
    const letters = [{ subject: 'react.tower-ringer', attempts: 1, reason: 'attempt 1 failed: Error: the rope is torn' }];
    await vi.waitFor(async () => expect(await deadLetters()).toMatchObject(letters), 20_000);
    await settled();
    // Still broken: it comes back to where it was.
    expect(await replayDeadLetters(nats, { subject: 'react.tower-listener' })).toBe(0);
    expect(await replayDeadLetters(nats, { subject: 'react.>' })).toBe(1);
    await vi.waitFor(async () => expect(await deadLetters()).toMatchObject(letters), 20_000);
    broken = false;
    expect(await replayDeadLetters(nats)).toBe(1);
    await vi.waitFor(() => expect(done).toHaveLength(1), 20_000);
    const [stored] = await new JetStreamEventStore(nats, manager).read('social', 'bell', 1);
    expect(done).toEqual([stored]);
    expect(stored?.position).toBe(position);
    expect(others).toEqual([5]);
    expect(await deadLetters()).toEqual([]);
    expect((await manager.streams.info('EV_SOCIAL')).state.last_seq).toBe(position);
    await vi.waitFor(async () => expect((await manager.streams.info(REACTION_STREAM)).state.messages).toBe(0), 20_000);
  });

  it('is put aside once for each reactor', async () => {
    const fail: WorkHandler = () => Promise.reject(new Error('deaf'));
    const options = { maxAttempts: 1 };
    await react(fail, { options });
    await react(fail, { name: 'listener', options });
    await append(1, rung({ times: 1 }));
    await vi.waitFor(
      async () =>
        expect((await deadLetters()).map(({ subject }) => subject).toSorted()).toEqual(['react.tower-listener', 'react.tower-ringer']),
      20_000,
    );
  });

  it('is tried again with a growing pause', async () => {
    const at: number[] = [];
    await react((_, { attempt }) => {
      at.push(performance.now());
      return attempt < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    });
    await append(1, rung({ times: 1 }));
    await settled(undefined, 8000);
    const [first = 0, second = 0, third = 0] = at;
    expect(second - first).toBeGreaterThan(700);
    expect(third - second).toBeGreaterThan(1400);
    expect(await deadLetters()).toEqual([]);
  });

  it('may ask for a later time without losing attempts', async () => {
    const attempts: number[] = [];
    const handler: WorkHandler = (_, { attempt }) => {
      attempts.push(attempt);
      return attempts.length < 4 ? Promise.reject(new RetryLater(20)) : Promise.resolve();
    };
    await react(handler, { options: { maxAttempts: 1 } });
    // The same event in another reactor is another piece of work.
    const once = vi.fn<WorkHandler>(() => Promise.resolve());
    await react(once, { name: 'listener', options: { maxAttempts: 1 } });
    await append(1, rung({ times: 1 }));
    await settled();
    expect(attempts).toEqual([1, 1, 1, 1]);
    expect(once).toHaveBeenCalledOnce();
    expect(await deadLetters()).toEqual([]);
  });

  it('is put aside at once when it cannot be read', async () => {
    const ran = vi.fn<WorkHandler>(() => Promise.resolve());
    await react(ran, { definitions: [cast, rung] });
    await appendRaw('BellCast', 0, '{}');
    await appendRaw('BellRung', 1, '{"times":');
    await appendRaw(undefined, 1, '{}');
    const reasons = [
      'undecodable: BellCast has no upcaster from version 0',
      expect.stringMatching(/^undecodable: .*JSON/),
      expect.stringMatching(/^undecodable: EV_SOCIAL holds a message without an event type/),
    ];
    await vi.waitFor(async () => expect((await deadLetters()).map(({ reason }) => reason)).toEqual(reasons), 20_000);
    expect(ran).not.toHaveBeenCalled();
    await settled();
    // Replayed as it is, it is as unreadable as before.
    expect(await replayDeadLetters(nats)).toBe(3);
    await vi.waitFor(async () => expect((await deadLetters()).map(({ reason }) => reason)).toEqual(reasons), 20_000);
    await nats.request('react.tower-ringer', 'rubbish', { timeout: 20_000 });
    await vi.waitFor(
      async () => expect((await deadLetters()).at(-1)?.reason).toBe('undecodable: not an event of EV_SOCIAL that was put aside'),
      20_000,
    );
  });

  it('is kept for a replica of a newer release when its type is not known yet', async () => {
    const { lines, ...tools } = toolsOn(nats);
    const older = await react(() => Promise.resolve(), {}, { ...tools, lines });
    await appendRaw('BellOfTheFuture', 1, '{"pitch":"a"}');
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ msg: 'event put off' })), 20_000);
    await older.drain();
    const future = defineEvent('BellOfTheFuture', z.object({ pitch: z.string() }));
    const seen: unknown[] = [];
    const noted: WorkHandler = (payload) => {
      seen.push((payload as RecordedEvent).data);
      return Promise.resolve();
    };
    await react(noted, { definitions: [rung, future] });
    await vi.waitFor(() => expect(seen).toEqual([{ pitch: 'a' }]), { timeout: 15_000 });
    expect(await deadLetters()).toEqual([]);
  });

  it('waits for a replica of a newer release when its version is not known yet', async () => {
    const ran = vi.fn<WorkHandler>(() => Promise.resolve());
    const { lines, ...tools } = toolsOn(nats);
    const older = await react(ran, { definitions: [rung] }, { ...tools, lines });
    await appendRaw('BellRung', 2, '{"strokes":3}');
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ msg: 'event put off' })), 20_000);
    await older.drain();
    const newer = defineEvent('BellRung', z.object({ strokes: z.int() }), { v: 2, upcasters: {} });
    await react(ran, { definitions: [newer] });
    await vi.waitFor(() => expect(ran).toHaveBeenCalledOnce(), { timeout: 20_000 });
    expect(ran.mock.calls[0]?.[0]).toMatchObject({ v: 2, data: { strokes: 3 } });
  });
});

describe('a reactor whose process or server ends', () => {
  it('stops its handlers when it drains, and another replica goes on at once', async () => {
    const attempts: number[] = [];
    const first = await react(async (_, { attempt, signal }) => {
      attempts.push(attempt);
      await delay(60_000, undefined, { signal });
    });
    await append(1, rung({ times: 1 }));
    await vi.waitFor(() => expect(attempts).toEqual([1]), 20_000);
    await first.drain();
    expect(await unsettled()).toEqual({ waiting: 0, atWork: 1 });
    await react(
      (_, { attempt }) => {
        attempts.push(attempt);
        return Promise.resolve();
      },
      {},
      toolsOn(await join()),
    );
    await settled();
    expect(attempts).toEqual([1, 1]);
  });

  it('lets handlers finish while it drains, and takes nothing new', async () => {
    const seen: number[] = [];
    const begun = Promise.withResolvers<void>();
    const reactor = await react(async (payload, delivery) => {
      begun.resolve();
      await delay(200);
      await noting(seen)(payload, delivery);
    });
    await append(1, rung({ times: 1 }), rung({ times: 2 }));
    await begun.promise;
    await reactor.drain();
    expect(seen).toEqual([1]);
    expect(await unsettled()).toEqual({ waiting: 1, atWork: 0 });
  });

  it('goes on soon after a crash of the server', async () => {
    const seen: number[] = [];
    await react(noting(seen));
    await append(1, rung({ times: 1 }));
    await settled();
    await server.crashAndRestart();
    await vi.waitFor(() => append(1, rung({ times: 2 })), { timeout: 10_000 });
    const startedAt = Date.now();
    await vi.waitFor(() => expect(seen).toEqual([1, 2]), { timeout: 20_000 });
    expect(Date.now() - startedAt).toBeLessThan(15_000);
  });
});
