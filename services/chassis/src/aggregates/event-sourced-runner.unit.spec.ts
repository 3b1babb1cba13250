import { defineEvent, eventSubject, Rejection, type DomainEvent } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InMemoryEventStore } from '../../test/event-store/in-memory-event-store.js';
import type { EventStore } from '../event-store/event-store.js';
import { decision, type Aggregate } from './aggregate.js';
import { EventSourcedRunner } from './event-sourced-runner.js';
import type { Snapshot, SnapshotStore } from './snapshots.js';
import { noSnapshots } from '../../test/event-store/no-snapshots.js';

const counted = defineEvent('SpecCounted', z.object({ by: z.int() }));
type Counted = ReturnType<typeof counted>;
interface Count {
  readonly sum: number;
}
interface Add {
  readonly by: number;
  /** Refused beyond. */
  readonly most?: number;
  /** Says nothing when the sum is this already. */
  readonly unless?: number;
  readonly events?: number;
}

const counter: Aggregate<Count, Add, Counted> = {
  context: 'library',
  kind: 'counter',
  initialState: { sum: 0 },
  decide: ({ sum }, { by, most = Infinity, unless, events = 1 }) => {
    if (sum + by > most) throw new Rejection('conflict', `it is at ${sum}`);
    return sum === unless ? [] : Array.from({ length: events }, () => counted({ by }));
  },
  evolve: ({ sum }, event) => ({ sum: sum + event.data.by }),
  keepWarm: 3,
};

const meta = (commandId?: string) => ({
  at: 1,
  actor: 'system',
  correlationId: 'spec',
  causationId: 'spec',
  ...(commandId ? { commandId } : {}),
});

/** A log that counts how often it is read. */
const watched = () => {
  const store = new InMemoryEventStore();
  const looks = { reads: 0, appends: 0 };
  const seen: EventStore = {
    append: (...args) => {
      looks.appends += 1;
      return store.append(...args);
    },
    read: (...args) => {
      looks.reads += 1;
      return store.read(...args);
    },
    lastPosition: (context) => store.lastPosition(context),
  };
  return { store: seen, looks };
};
const add = (runner: EventSourcedRunner, id: number, command: Add, commandId?: string) =>
  runner.run([decision(counter, id, command)], meta(commandId));
const sumOf = async (runner: EventSourcedRunner, id: number): Promise<number> => (await runner.load(counter, id)).state.sum;

const snapshotsInMemory = (): SnapshotStore & { readonly kept: Map<string, Snapshot> } => {
  const kept = new Map<string, Snapshot>();
  return {
    kept,
    load: async (kind, id) => kept.get(`${kind}/${id}`),
    save: async (kind, id, _version, snapshot) => void kept.set(`${kind}/${id}`, snapshot),
  };
};

describe('states that stay in memory', () => {
  it('cost one look into the log, and none after that', async () => {
    const { store, looks } = watched();
    const runner = new EventSourcedRunner(store, noSnapshots);
    for (let n = 0; n < 5; n += 1) await add(runner, 1, { by: 2 });
    expect(looks).toEqual({ reads: 1, appends: 5 });
    expect(await sumOf(runner, 1)).toBe(10);
  });

  it('are no more than may be, by number and by bytes; those used last stay', async () => {
    const looksFor = async (aggregate: typeof counter): Promise<number> => {
      const { store, looks } = watched();
      const runner = new EventSourcedRunner(store, noSnapshots);
      for (const id of [1, 2, 3, 1, 2, 3, 4, 4, 2, 3]) await runner.run([decision(aggregate, id, { by: 1 })], meta());
      return looks.reads;
    };
    expect(await looksFor({ ...counter, keepWarm: 3 })).toBe(4);
    expect(await looksFor({ ...counter, keepWarm: 2 })).toBe(9);
    const bounded = (most: number): typeof counter => ({ ...counter, keepWarm: 100, warmBytes: { most, of: () => 1000 } });
    expect(await looksFor(bounded(4000))).toBe(4);
    expect(await looksFor(bounded(2999))).toBe(9);
    expect(await looksFor(bounded(10))).toBe(10);
  });

  it('are looked up again when another replica was faster', async () => {
    const { store } = watched();
    const [one, other] = [new EventSourcedRunner(store, noSnapshots), new EventSourcedRunner(store, noSnapshots)];
    for (let n = 0; n < 4; n += 1) {
      await add(one, 1, { by: 1 });
      await add(other, 1, { by: 10 });
    }
    expect([await sumOf(one, 1), await sumOf(other, 1)]).toEqual([44, 44]);
  });

  it('neither refuse nor say that nothing has to be done before they are known to be the latest', async () => {
    const { store } = watched();
    const [one, other] = [new EventSourcedRunner(store, noSnapshots), new EventSourcedRunner(store, noSnapshots)];
    await add(one, 1, { by: 5 });
    await add(other, 1, { by: -5 });
    expect((await add(one, 1, { by: 5, most: 6 })).events[0]).toHaveLength(1);
    await add(other, 1, { by: -5 });
    expect((await add(one, 1, { by: 1, unless: 5 })).events[0]).toHaveLength(1);
    await expect(add(one, 1, { by: 9, most: 9 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('answer a command that comes again as they did before', async () => {
    const { store, looks } = watched();
    const runner = new EventSourcedRunner(store, noSnapshots);
    await add(runner, 1, { by: 1 });
    const first = await add(runner, 1, { by: 1, events: 3 }, 'again');
    await add(runner, 1, { by: 1 }, 'between');
    const appends = looks.appends;
    const second = await add(runner, 1, { by: 1, events: 3 }, 'again');
    expect([second.events[0]?.length, second.position]).toEqual([3, first.position]);
    expect([looks.appends, await sumOf(runner, 1)]).toEqual([appends, 5]);
  });

  it('are given up when the log had the append already', async () => {
    const { store, looks } = watched();
    const repeating: EventStore = { ...store, append: async (...args) => ({ ...(await store.append(...args)), isRepeat: true }) };
    const runner = new EventSourcedRunner(repeating, noSnapshots);
    for (let n = 0; n < 3; n += 1) await add(runner, 1, { by: 1 });
    expect(looks.reads).toBe(3);
  });

  it('are as many as are asked for', async () => {
    const { store, looks } = watched();
    const runner = new EventSourcedRunner(store, noSnapshots);
    for (const id of [1, 2, 3, 4, 4, 3, 2, 1]) await add(runner, id, { by: 1 });
    expect(looks.reads).toBe(5);
  });

  it('take turns within a process', async () => {
    const { store, looks } = watched();
    const runner = new EventSourcedRunner(store, noSnapshots);
    await Promise.all(Array.from({ length: 20 }, () => add(runner, 1, { by: 1 })));
    expect([looks, await sumOf(runner, 1)]).toEqual([{ reads: 2, appends: 20 }, 20]);
  });

  it('keep snapshots as often as their kind wants', async () => {
    const { store } = watched();
    const snapshots = snapshotsInMemory();
    const runner = new EventSourcedRunner(store, snapshots);
    const large = { ...counter, keepWarm: 0, snapshotAfterEvents: 4 };
    for (let n = 1; n <= 6; n += 1) await runner.run([decision(large, 1, { by: 1 })], meta());
    expect(snapshots.kept.get('counter/1')).toMatchObject({ position: 4, state: { sum: 4 } });
  });

  it('keep snapshots as those do that are read each time', async () => {
    const { store } = watched();
    const snapshots = snapshotsInMemory();
    const runner = new EventSourcedRunner(store, snapshots);
    for (let n = 0; n < 70; n += 1) await add(runner, 1, { by: 1 });
    expect(snapshots.kept.get('counter/1')).toMatchObject({ position: 64, state: { sum: 64 } });
    expect(await sumOf(new EventSourcedRunner(store, snapshots), 1)).toBe(70);
  });

  it.each(Array.from({ length: 60 }, (_, n) => n + 1))('give what a log alone gives, whoever writes when: %i', async (seed) => {
    let state = seed;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 8) % limit;
    };
    const { store } = watched();
    const snapshots = snapshotsInMemory();
    const runners = [new EventSourcedRunner(store, snapshots), new EventSourcedRunner(store, snapshots)] as const;
    const sums = new Map<number, number>();
    for (let n = 0; n < 40; n += 1) {
      const [runner, id, by, events] = [runners[below(2) as 0 | 1], 1 + below(4), below(7) - 3, 1 + below(30)];
      for (let times = 1 + below(2); times > 0; times -= 1) await add(runner, id, { by, events }, `command ${n}`);
      sums.set(id, (sums.get(id) ?? 0) + by * events);
    }
    const cold = new EventSourcedRunner(store, noSnapshots);
    for (const [id, sum] of sums) expect(await sumOf(cold, id)).toBe(sum);
  });
});

it('reads each time what does not ask to stay', async () => {
  const { store, looks } = watched();
  const { keepWarm: _, ...cold } = counter;
  const runner = new EventSourcedRunner(store, noSnapshots);
  for (let n = 0; n < 3; n += 1) await runner.run([decision(cold as Aggregate<Count, Add, DomainEvent & Counted>, 1, { by: 1 })], meta());
  expect(looks.reads).toBe(3);
});

describe('a precondition', () => {
  const subject = eventSubject('library', 'counter', 1);
  const under = (runner: EventSourcedRunner, position: number, { own = [] as string[], by = 1, commandId = 'mine' } = {}) => {
    const precondition = { positions: { [subject]: position }, ownCommandIds: own };
    return runner.run([decision(counter, 1, { by })], { ...meta(commandId), precondition });
  };

  it('refuses what rests on an older version, also when nothing would change', async () => {
    const store = new InMemoryEventStore();
    const [one, other] = [new EventSourcedRunner(store, noSnapshots), new EventSourcedRunner(store, noSnapshots)];
    const { position } = await add(one, 1, { by: 1 });
    const seen = position?.position ?? 0;
    await add(other, 1, { by: 1 });
    await expect(under(one, seen)).rejects.toMatchObject({ code: 'precondition.failed' });
    expect(await sumOf(one, 1)).toBe(2);
  });

  it('lets one of many at the same time through', async () => {
    const store = new InMemoryEventStore();
    const runners = Array.from({ length: 4 }, () => new EventSourcedRunner(store, noSnapshots));
    const outcomes = await Promise.allSettled(runners.map((runner, n) => under(runner, 0, { commandId: `command-${n}` })));
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Rejection] : []));
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'precondition.failed'));
  });

  it('is not broken by commands of the same request, nor by other aggregates', async () => {
    const runner = new EventSourcedRunner(new InMemoryEventStore(), noSnapshots);
    await under(runner, 0, { commandId: 'first' });
    await add(runner, 2, { by: 1 });
    await under(runner, 0, { commandId: 'second', own: ['first'] });
    await under(runner, 0, { commandId: 'second', own: ['first'] });
    expect(await sumOf(runner, 1)).toBe(2);
    await add(runner, 1, { by: 1 }, 'another');
    await expect(under(runner, 0, { commandId: 'third', own: ['first', 'second'] })).rejects.toMatchObject({ code: 'precondition.failed' });
  });
});
