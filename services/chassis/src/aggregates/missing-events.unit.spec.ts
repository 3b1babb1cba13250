import { type DomainEvent, type RecordedEvent } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { InMemoryEventStore } from '../../test/event-store/in-memory-event-store.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Gap } from '../event-store/integrity/gaps.js';
import { decision, type Aggregate } from './aggregate.js';
import { EventSourcedRunner } from './event-sourced-runner.js';
import type { Snapshot, SnapshotStore } from './snapshots.js';
import { noSnapshots } from '../../test/event-store/no-snapshots.js';

interface Add {
  readonly events: number;
}

const counter: Aggregate<number, Add, DomainEvent> = {
  context: 'library',
  kind: 'counter',
  initialState: 0,
  decide: (_, { events }) => Array.from({ length: events }, () => ({ type: 'Added', v: 1, data: {} })),
  evolve: (count) => count + 1,
  snapshotAfterEvents: 4,
};
const meta = { at: 1, actor: 'system', correlationId: 'spec', causationId: 'spec' };

/** A log that does not give back some of its positions, and whose first events may be of a release that did not number. */
const lossyLog = (lost: readonly number[], { accepted = [] as readonly Gap[], unnumberedUpTo = 0 } = {}) => {
  const truth = new InMemoryEventStore();
  const seen = ({ number, ...event }: RecordedEvent): RecordedEvent =>
    number === undefined || event.position <= unnumberedUpTo ? event : { ...event, number };
  const store: EventStore = {
    append: (...args) => truth.append(...args),
    lastPosition: (context) => truth.lastPosition(context),
    read: async (...args) => (await truth.read(...args)).filter(({ position }) => !lost.includes(position)).map(seen),
    acceptedLoss: () => Promise.resolve(accepted),
  };
  return { truth, store };
};

const add = (store: EventStore, events: number, snapshots: SnapshotStore = noSnapshots) =>
  new EventSourcedRunner(store, snapshots).run([decision(counter, 1, { events })], meta);
const numbers = async (store: EventStore) => (await store.read('library', 'counter', 1)).map(({ number }) => number);

describe('an aggregate', () => {
  it('has its events numbered, over several decisions', async () => {
    const { truth } = lossyLog([]);
    for (const events of [1, 3, 2]) await add(truth, events);
    expect(await numbers(truth)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([[[1]], [[2]], [[2, 3]], [[1, 2, 3]]])('is not decided on when its events %j are missing', async (lost) => {
    const { truth, store } = lossyLog(lost);
    await add(truth, 4);
    await expect(add(store, 1)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('EV_LIBRARY is damaged') });
    await expect(new EventSourcedRunner(store, noSnapshots).load(counter, 1)).rejects.toThrow(/counter 1 has no event/);
    expect(await numbers(truth)).toHaveLength(4);
  });

  it('goes on with what is left where the loss was accepted, numbered on from its last event', async () => {
    const { truth, store } = lossyLog([2], { accepted: [{ from: 2, to: 2 }] });
    await add(truth, 4);
    expect((await new EventSourcedRunner(store, noSnapshots).load(counter, 1)).state).toBe(3);
    await add(store, 1);
    expect((await numbers(truth)).at(-1)).toBe(5);
  });

  it('is not excused by a loss elsewhere', async () => {
    const { truth, store } = lossyLog([3], { accepted: [{ from: 1, to: 1 }] });
    await add(truth, 4);
    await expect(add(store, 1)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('counts what an older release wrote, and the numbers after it have to agree', async () => {
    const old = lossyLog([], { unnumberedUpTo: 3 });
    await add(old.truth, 3);
    await add(old.store, 1);
    expect(await numbers(old.store)).toEqual([undefined, undefined, undefined, 4]);
    await add(old.store, 1);
    const damaged = lossyLog([2], { unnumberedUpTo: 3 });
    await add(damaged.truth, 4);
    await expect(add(damaged.store, 1)).rejects.toThrow(/has no event 3, the next one is 4/);
  });

  it('is counted on from its snapshot', async () => {
    const kept = new Map<string, Snapshot>();
    const snapshots: SnapshotStore = {
      load: async (kind, id) => kept.get(`${kind}/${id}`),
      save: async (kind, id, _version, snapshot) => void kept.set(`${kind}/${id}`, snapshot),
    };
    const { truth, store } = lossyLog([6]);
    await add(truth, 5);
    await add(truth, 0, snapshots);
    expect(kept.get('counter/1')).toMatchObject({ position: 5, number: 5 });
    await add(truth, 2);
    expect(await numbers(truth)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await expect(add(store, 1, snapshots)).rejects.toThrow(/has no event 6, the next one is 7/);
  });
});
