import { defineEvent, type RecordedEvent } from '@continuo/contracts';
import { flipBit, testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { someOf } from '@continuo/local-servers/test-form';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { registerEvents } from '../event-store/catalogue.js';
import { LogWatch } from '../event-store/integrity/log-watch.js';
import { acceptLoss, ensureEventStreams } from '../event-store/streams.js';
import { createMetrics } from '../metrics.js';
import { openDatabase } from '../persistence/database.js';
import { prepareChassisTables } from '../projections/start.js';
import { noTelemetry } from '../telemetry/tracing.js';
import { recordingLog } from '../../test/recording-log.js';
import { EventReactor } from './event-reactor.js';
import type { Reaction } from './handlers.js';

const rung = defineEvent('SpecBellRung', z.object({ text: z.string() }));
const polished = defineEvent('SpecBellPolished', z.object({ text: z.string() }));
// Other specs of the process must not know them.
afterAll(registerEvents([rung, polished]));

let server: TestNats;
let postgres: TestPostgres;
let db: Kysely<unknown>;
const ends: (() => Promise<unknown>)[] = [];

const join = (): Promise<NatsConnection> =>
  connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1, noAsyncTraces: true });

/** One process with one reactor of a stream that another service owns; answers what it has handled and what it says. */
const startReactor = async (options: Reaction['options'], handle: (text: string) => Promise<void> = () => Promise.resolve()) => {
  const nats = await join();
  const { log, lines } = recordingLog();
  const metrics = createMetrics('spec');
  const logWatch = new LogWatch({ nats, manager: await jetstreamManager(nats), db, log, registry: metrics.registry }, []);
  const tools = { service: 'spec', nats, log, metrics, tracer: noTelemetry.tracer, replicas: 1, drainTimeoutMs: 500, logWatch };
  const seen: string[] = [];
  const reaction: Reaction = { context: 'social', name: 'ringer', definitions: [rung], options };
  const reactor = new EventReactor(tools, reaction, async (payload) => {
    const [text = ''] = (payload as RecordedEvent<ReturnType<typeof rung>>).data.text.split(' ');
    await handle(text);
    seen.push(text);
  });
  await reactor.start();
  const stop = async (): Promise<void> => {
    await reactor.drain();
    await logWatch.stop();
    await nats.close();
  };
  ends.push(stop);
  const heldTimes = async (): Promise<number> => {
    const { values } = await metrics.jobs.get();
    return values.filter(({ labels }) => labels['outcome'] === 'held').reduce((sum, { value }) => sum + value, 0);
  };
  return { seen, lines, stop, heldTimes, isHeld: () => lines.some(({ msg }) => msg === 'events are held back') };
};

/** Events of the given kinds, one by one, each with its number as the text. */
const append = async (kinds: readonly { readonly aggregate: string; readonly type: typeof rung }[]): Promise<void> => {
  const nats = await join();
  const store = new JetStreamEventStore(nats, await jetstreamManager(nats));
  const meta = { actor: 'spec', correlationId: 'c', causationId: 'c', at: 1 };
  const first = (await store.lastPosition('social')) + 1;
  for (const [index, { aggregate, type }] of kinds.entries()) {
    const n = first + index;
    const events = [type({ text: `event-${n} ${'x'.repeat(50)}` })];
    await store.append([{ context: 'social', aggregate, id: n, expectedPosition: 0, events }], meta);
  }
  await nats.close();
};
const [bell, drum] = [
  { aggregate: 'bell', type: rung },
  { aggregate: 'drum', type: rung },
];
const polish = { aggregate: 'bell', type: polished as unknown as typeof rung };

const accept = async (position: number): Promise<void> => {
  const nats = await join();
  await acceptLoss(await jetstreamManager(nats), 'EV_SOCIAL', { gaps: [{ from: position, to: position }], formerIncarnations: [] });
  await nats.close();
};

beforeEach(async () => {
  [server, postgres] = await Promise.all([testNats(), testPostgres()]);
  db = openDatabase({ url: postgres.url, poolSize: 2, applicationName: 'spec' });
  await prepareChassisTables(db);
  const nats = await join();
  await ensureEventStreams(await jetstreamManager(nats), ['social'], 1);
  await nats.close();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await db.destroy();
  await Promise.all([server.stop(), postgres.stop()]);
});

const cases = [
  { what: 'one by one, in the order of the log', options: { order: 'log' } },
  { what: 'side by side', options: { concurrency: 3 } },
  { what: 'of one kind of aggregate, in the order of the log', options: { order: 'log', aggregates: ['bell'] } },
] as const;

describe.each(someOf(cases, 1))('a reactor that takes events $what', ({ options }) => {
  it('stops at one that is missing, also after a new start, and goes on when its loss is accepted', async () => {
    const first = await startReactor({ ...options, startFrom: 'all' });
    await append([bell, bell]);
    await expect.poll(() => first.seen, { timeout: 10_000 }).toEqual(['event-1', 'event-2']);
    await first.stop();
    await append([bell, drum, bell, bell, bell]);
    await server.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_SOCIAL', 'event-5 '));
    for (let start = 1; start <= 2; start += 1) {
      const held = await startReactor(options);
      await expect.poll(held.isHeld, { timeout: 10_000 }).toBe(true);
      // It asks again for what it has given back, and gives it back again.
      await expect.poll(held.heldTimes, { timeout: 20_000 }).toBeGreaterThan(1);
      expect(held.seen).not.toContain('event-6');
      expect(held.seen).not.toContain('event-7');
      expect(held.lines.find(({ msg }) => msg === 'events are held back')).toMatchObject({
        err: { message: expect.stringContaining('the event log EV_SOCIAL is damaged: position 5 is missing') },
      });
      await held.stop();
    }
    const again = await startReactor(options);
    await expect.poll(again.isHeld, { timeout: 10_000 }).toBe(true);
    await accept(5);
    await expect.poll(() => again.seen.toSorted().slice(-2), { timeout: 20_000 }).toEqual(['event-6', 'event-7']);
  });
});

describe('a reactor', () => {
  it('does not pass over a missing event by skipping one that it does not ask for', async () => {
    const first = await startReactor({ startFrom: 'all' });
    await append([bell]);
    await expect.poll(() => first.seen, { timeout: 10_000 }).toEqual(['event-1']);
    await first.stop();
    await append([bell, polish, polish]);
    await server.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_SOCIAL', 'event-2 '));
    const held = await startReactor({});
    await expect.poll(held.isHeld, { timeout: 10_000 }).toBe(true);
    await held.stop();
    const again = await startReactor({});
    await append([bell]);
    await expect.poll(again.isHeld, { timeout: 10_000 }).toBe(true);
    expect(again.seen).toEqual([]);
    await accept(2);
    await expect.poll(() => again.seen, { timeout: 20_000 }).toEqual(['event-5']);
  });

  it('notices that the server comes back without an event while it waits for a slow one', async () => {
    const slow = Promise.withResolvers<void>();
    const reactor = await startReactor({ startFrom: 'all', order: 'log' }, (text) =>
      text === 'event-1' ? slow.promise : Promise.resolve(),
    );
    await append([bell, bell, bell]);
    await server.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_SOCIAL', 'event-2 '));
    slow.resolve();
    await expect.poll(reactor.isHeld, { timeout: 40_000 }).toBe(true);
    expect(reactor.seen).not.toContain('event-3');
  });
});
