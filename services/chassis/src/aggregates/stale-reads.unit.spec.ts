import { Rejection, type DomainEvent } from '@continuo/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryEventStore } from '../../test/event-store/in-memory-event-store.js';
import type { EventStore } from '../event-store/event-store.js';
import { decision, type Aggregate } from './aggregate.js';
import { EventSourcedRunner } from './event-sourced-runner.js';

type Flag = boolean;
interface FlagCommand {
  readonly type: 'raise' | 'lower' | 'demand';
}

/** Up or down; what it is already is no fact, and it may be demanded to be up. */
const flag: Aggregate<Flag, FlagCommand, DomainEvent> = {
  context: 'library',
  kind: 'flag',
  initialState: false,
  decide: (isUp, { type }) => {
    if (type === 'demand' && !isUp) throw new Rejection('input.invalid', 'it is down');
    return type === 'demand' || isUp === (type === 'raise') ? [] : [{ type: type === 'raise' ? 'Raised' : 'Lowered', v: 1, data: {} }];
  },
  evolve: (_, event) => event.type === 'Raised',
};

const meta = (commandId: string) => ({ commandId, at: 1, actor: 'system', correlationId: 'c', causationId: 'c' });
const noSnapshots = { load: () => Promise.resolve(undefined), save: () => Promise.resolve() };

let truth: InMemoryEventStore;
let staleReads: number;
let runner: EventSourcedRunner;

beforeEach(async () => {
  truth = new InMemoryEventStore();
  staleReads = 0;
  const store: EventStore = {
    append: (...args) => truth.append(...args),
    lastPosition: (context) => truth.lastPosition(context),
    lastOf: async (context, kind, id) => (await truth.read(context, kind, id)).at(-1)?.position ?? 0,
    // A copy that has nothing yet.
    read: (...args) => (staleReads-- > 0 ? Promise.resolve([]) : truth.read(...args)),
  };
  runner = new EventSourcedRunner(store, noSnapshots);
  await runner.run([decision(flag, 1, { type: 'raise' })], meta('first'));
});

describe('a copy of the log that is behind', () => {
  it('does not make a command that changes something look done', async () => {
    staleReads = 2;
    const { events } = await runner.run([decision(flag, 1, { type: 'lower' })], meta('second'));
    expect(events.flat().map(({ type }) => type)).toEqual(['Lowered']);
  });

  it('does not have a command refused that the latest state allows', async () => {
    staleReads = 2;
    await expect(runner.run([decision(flag, 1, { type: 'demand' })], meta('second'))).resolves.toMatchObject({ events: [[]] });
  });

  it('leaves alone what is true by the latest state as well', async () => {
    await expect(runner.run([decision(flag, 2, { type: 'lower' })], meta('second'))).resolves.toEqual({ events: [[]] });
    await expect(runner.run([decision(flag, 2, { type: 'demand' })], meta('third'))).rejects.toThrow('it is down');
  });
});

it('a command that changes nothing names the last event, which readers may not have seen yet', async () => {
  const position = await truth.lastPosition('library');
  await expect(runner.run([decision(flag, 1, { type: 'raise' })], meta('second'))).resolves.toEqual({
    events: [[]],
    position: { stream: 'EV_LIBRARY', position },
  });
});
