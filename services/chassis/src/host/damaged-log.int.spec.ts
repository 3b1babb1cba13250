import { defineEvent, eventStreams, type Context, type DomainEvent, type EventStreamName } from '@continuo/contracts';
import { cutBlock, flipBit, testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { someOf } from '@continuo/local-servers/test-form';
import { jetstreamManager } from '@nats-io/jetstream';
import { Module } from '@nestjs/common';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decision, type Aggregate } from '../aggregates/aggregate.js';
import { baseConfig, type Environment } from '../config.js';
import { registerEvents } from '../event-store/catalogue.js';
import { damageOf, inspectStream } from '../event-store/integrity/inspect-stream.js';
import { acceptLoss, streamState } from '../event-store/streams.js';
import type { Projection } from '../projections/projection.js';
import type { ServiceDefinition } from '../service.js';
import { recordingLog } from '../../test/recording-log.js';
import { startService, type StartedService } from './start-service.js';

const noted = defineEvent('SpecNoted', z.object({ text: z.string() }));
// Other specs of the process must not know them.
afterAll(registerEvents([noted]));
const contexts = Object.keys(eventStreams) as Context[];
const streams = Object.values<EventStreamName>(eventStreams);

/** Notes that gather, in any context. */
const notesIn = (context: Context): Aggregate<number, { readonly text: string }, DomainEvent> => ({
  context,
  kind: 'notes',
  initialState: 0,
  decide: (_, { text }) => [noted({ text })],
  evolve: (count) => count + 1,
});

/** Rows of what was noted; every real stream is projected as well. */
const projectionOf = (context: Context): Projection => ({
  name: `spec-${context}`,
  version: 1,
  context,
  publishedSchema: `spec_${context}`,
  publishes: ['note'],
  ddl: ['create table note (position bigint primary key)'],
  project: (events, db) =>
    events.map(({ position }) =>
      (db as never as { insertInto(table: string): { values(row: object): never } }).insertInto('note').values({ position }),
    ),
});

@Module({})
class NoModule {}

const definition: ServiceDefinition = {
  name: 'spec',
  config: baseConfig,
  contexts,
  projections: () => contexts.map(projectionOf),
  module: NoModule,
};

const EVENTS = 40;

let nats: TestNats;
let postgres: TestPostgres;
let env: Environment;
const started: StartedService[] = [];

const start = async () => {
  const { log, lines } = recordingLog();
  const service = await startService(definition, env, { log, declared: { commands: [], jobs: [] } });
  started.push(service);
  return { service, lines };
};

const note = (service: StartedService, context: Context, id: number, text = 'x'.repeat(100)) =>
  service.deps.aggregates.run([decision(notesIn(context), id, { text })], { at: 1, actor: 'spec', correlationId: 'c', causationId: 'c' });

const rowsOf = async (service: StartedService, context: Context): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(`spec_${context}.note`)}`.execute(service.deps.db);
  return Number(rows[0]?.count);
};

/** Fills every stream, waits for the tables, and stops the service. */
const fill = async (): Promise<void> => {
  const { service } = await start();
  for (const context of contexts) for (let n = 0; n < EVENTS; n += 1) await note(service, context, n % 5, `note-${n}-${'x'.repeat(100)}`);
  for (const context of contexts) await expect.poll(() => rowsOf(service, context), { timeout: 20_000 }).toBe(EVENTS);
  await service.stop();
};

beforeEach(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'debug', DRAIN_TIMEOUT_MS: '500' };
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
  await nats.stop();
  await postgres.stop();
});

interface Damage {
  readonly what: string;
  readonly end: 'stop' | 'kill';
  readonly damage: (storeDir: string, stream: EventStreamName) => Promise<void>;
}

const damages: Damage[] = [
  { what: 'half of its block cut off', end: 'stop', damage: cutBlock },
  { what: 'half of its block cut off, after a crash', end: 'kill', damage: cutBlock },
  { what: 'one bit flipped in the middle', end: 'stop', damage: (storeDir, stream) => flipBit(storeDir, stream, `note-${EVENTS / 2}-`) },
  {
    what: 'one bit flipped in the middle, after a crash',
    end: 'kill',
    damage: (storeDir, stream) => flipBit(storeDir, stream, `note-${EVENTS / 2}-`),
  },
  { what: 'one bit flipped near the end', end: 'stop', damage: (storeDir, stream) => flipBit(storeDir, stream, `note-${EVENTS - 1}-`) },
  { what: 'one bit flipped near the beginning', end: 'stop', damage: (storeDir, stream) => flipBit(storeDir, stream, 'note-0-') },
];

describe.each(someOf(damages, 2))('every stream with $what', ({ end, damage }) => {
  it('is told damaged before the first command is taken, which is refused with the reason, while reads go on', async () => {
    await fill();
    await nats.restartAfter(end, async (storeDir) => {
      for (const stream of streams) await damage(storeDir, stream);
    });
    const { service, lines } = await start();
    const ready = lines.findIndex(({ msg }) => msg === 'service ready');
    for (const context of contexts) {
      const stream = eventStreams[context];
      const told = lines.findIndex(({ msg }) => String(msg).includes(`the event log ${stream} is damaged`));
      expect([stream, told >= 0 && told < ready]).toEqual([stream, true]);
      await expect(note(service, context, 1)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(`the event log ${stream} is damaged: .*commands are refused .*docs/operate/recover.md`),
      });
      expect(await rowsOf(service, context)).toBe(EVENTS);
    }
    const { ready: isReady, parts } = service.readiness();
    expect(isReady).toBe(false);
    for (const stream of streams) expect(parts[`log ${stream}`]).toMatch(/missing|ends at position/);
    const metric = await service.deps.metrics.registry.getSingleMetric('continuo_event_log_missing_positions')?.get();
    expect(metric?.values.filter(({ value }) => value > 0)).toHaveLength(streams.length);
  });
});

describe('a loss that was accepted', () => {
  it('lets commands go on with what is left, in the middle of a log', async () => {
    await fill();
    await nats.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_LIBRARY', 'note-17-'));
    const { service } = await start();
    await expect(note(service, 'library', 1)).rejects.toMatchObject({ code: 'unavailable' });
    await note(service, 'social', 1);
    const manager = await jetstreamManager(service.deps.nats);
    expect(service.readiness().parts['log EV_LIBRARY']).toBe('position 18 is missing');
    await acceptLoss(manager, 'EV_LIBRARY', { gaps: [{ from: 18, to: 18 }], formerIncarnations: [] });
    await expect.poll(() => service.readiness().ready, { timeout: 15_000 }).toBe(true);
    for (let id = 0; id < 5; id += 1) await note(service, 'library', id);
    await expect.poll(() => rowsOf(service, 'library'), { timeout: 10_000 }).toBe(EVENTS + 5);
    await service.stop();
    const again = await start();
    await expect.poll(() => again.service.readiness().ready, { timeout: 10_000 }).toBe(true);
    await note(again.service, 'library', 1);
  });

  it.each(
    someOf(
      [
        ['with events of others behind it', EVENTS - 4],
        ['the last one of the log', EVENTS - 1],
      ] as const,
      1,
    ),
  )('lets commands go on for something whose last event is lost, %s', async (_, n) => {
    await fill();
    await nats.restartAfter('stop', (storeDir) => flipBit(storeDir, 'EV_LIBRARY', `note-${n}-`));
    const { service } = await start();
    const lost = [{ from: n + 1, to: n + 1 }];
    await acceptLoss(await jetstreamManager(service.deps.nats), 'EV_LIBRARY', { gaps: lost, formerIncarnations: [] });
    await expect.poll(() => service.readiness().ready, { timeout: 15_000 }).toBe(true);
    const both = (id: number) => [
      decision(notesIn('library'), id, { text: 'one' }),
      decision(notesIn('library'), id + 10, { text: 'two' }),
    ];
    const meta = { at: 1, actor: 'spec', correlationId: 'c', causationId: 'c' };
    await Promise.all([...[n % 5, 0, n % 5].map((id) => note(service, 'library', id)), service.deps.aggregates.run(both(n % 5), meta)]);
    const { state } = await service.deps.aggregates.load(notesIn('library'), n % 5);
    expect(state).toBe(EVENTS / 5 - 1 + 3);
    await expect.poll(() => rowsOf(service, 'library'), { timeout: 10_000 }).toBe(EVENTS + 5);
  });

  it('of the end of a log begins another incarnation of it, to which the tables do not belong', async () => {
    await fill();
    await nats.restartAfter('kill', (storeDir) => cutBlock(storeDir, 'EV_LIBRARY'));
    const { service } = await start();
    const manager = await jetstreamManager(service.deps.nats);
    await acceptLoss(manager, 'EV_LIBRARY', { gaps: [], formerIncarnations: [(await streamState(manager, 'EV_LIBRARY')).epoch] });
    await expect.poll(() => service.readiness().parts['log EV_LIBRARY'], { timeout: 15_000 }).toMatch(/restart the service/);
    await service.stop();
    const again = await start();
    expect(again.service.readiness().parts['log EV_LIBRARY']).toBeUndefined();
    await note(again.service, 'library', 1);
    await expect.poll(() => again.service.readiness().parts['projection spec-library']).toMatch(/do not belong to this event log/);
    expect((await streamState(await jetstreamManager(again.service.deps.nats), 'EV_LIBRARY')).acceptedIncarnations).toHaveLength(1);
  });
});

describe('a log in good order', () => {
  it('has as many messages as positions, whatever was refused, repeated or written together', async () => {
    const { service } = await start();
    const store = service.deps.eventStore;
    const meta = { at: 1, actor: 'spec', correlationId: 'c', causationId: 'c' };
    const part = (context: Context, id: number, expectedPosition: number, count = 1) => ({
      context,
      aggregate: 'notes',
      id,
      expectedPosition,
      events: Array.from({ length: count }, () => noted({ text: 'x' })),
    });
    for (const context of ['library', 'playback'] as const) {
      await Promise.allSettled([
        ...Array.from({ length: 60 }, (_, n) => store.append([part(context, n % 7, 0, 1 + (n % 3))], meta)),
        ...Array.from({ length: 30 }, (_, n) => store.append([part(context, 100 + n, 0, 2), part(context, 1, n)], meta)),
        ...Array.from({ length: 30 }, (_, n) =>
          store.append([part(context, 200 + (n % 10), 0, 2)], { ...meta, commandId: `command-${n % 10}` }),
        ),
      ]);
      const { state } = await (await jetstreamManager(service.deps.nats)).streams.info(eventStreams[context]);
      expect(state.messages).toBeGreaterThan(20);
      expect([state.first_seq, state.messages]).toEqual([1, state.last_seq]);
    }
    expect(service.readiness().ready).toBe(true);
    await service.stop();
    const again = await start();
    await expect.poll(() => again.service.readiness(), { timeout: 10_000 }).toMatchObject({ ready: true });
  });

  it('is not told damaged for an event that came, and reached the tables, while it was looked at', async () => {
    const { service } = await start();
    const { db } = service.deps;
    const manager = await jetstreamManager(service.deps.nats);
    await note(service, 'library', 1);
    await expect.poll(() => rowsOf(service, 'library')).toBe(1);
    const info = async (stream: string) => {
      const told = await manager.streams.info(stream);
      await note(service, 'library', 1);
      await expect.poll(() => rowsOf(service, 'library')).toBe(told.state.last_seq + 1);
      return told;
    };
    const meanwhile = { streams: { info } } as unknown as typeof manager;
    expect(damageOf(await inspectStream({ manager: meanwhile, db }, 'EV_LIBRARY'))).toBeUndefined();
  });
});
