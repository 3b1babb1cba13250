import type { ReadModel, RecordedEvent } from '@continuo/contracts';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import { audienceResolver } from './resolve-audience.js';

/** A database in which nothing is found. */
const db = new Kysely<ReadModel>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (inner) => new PostgresIntrospector(inner),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const event = (position: number, type: string, data: unknown): RecordedEvent => ({ position, type, data }) as RecordedEvent;
const terms = { ownerId: 2, isPublic: false, collaboratorIds: [3] };
const resolverOver = (events: RecordedEvent[]) => {
  const reads: number[] = [];
  const read = async (_context: string, _aggregate: string, _id: string | number, after = 0): Promise<RecordedEvent[]> => {
    reads.push(after);
    return events.filter(({ position }) => position > after);
  };
  return { resolve: audienceResolver({ db, eventStore: { read } }), reads };
};
const draft = (position: number) =>
  ({ owners: [], others: { are: 'level', level: 100 }, termsOf: { kind: 'playlist', id: 1, position } }) as const;

describe('what is told of a list', () => {
  it('is for everybody only when the list was public from then until now', async () => {
    const events = [event(10, 'PlaylistCreated', terms), event(20, 'PlaylistChanged', { isPublic: true })];
    const { resolve } = resolverOver(events);
    const others = async (position: number): Promise<string> => (await resolve(draft(position), { catalogs: true })).others.are;
    expect([await others(10), await others(20), await others(25)]).toEqual(['level', 'everybody', 'everybody']);
    events.push(event(30, 'PlaylistChanged', { isPublic: false }));
    expect([await others(20), await others(30)]).toEqual(['level', 'level']);
    events.push(event(40, 'PlaylistChanged', { isPublic: true }), event(50, 'PlaylistDeleted', {}));
    expect([await others(20), await others(40), await others(50)]).toEqual(['level', 'everybody', 'everybody']);
  });

  it('is for the owner and the helpers that it has by now, and reads each event once', async () => {
    const events = [event(10, 'PlaylistCreated', terms)];
    const { resolve, reads } = resolverOver(events);
    expect((await resolve(draft(10), { catalogs: true })).owners).toEqual([2, 3]);
    events.push(event(20, 'PlaylistChanged', { ownerId: 4, collaboratorIds: [] }), event(21, 'PlaylistMembersAdded', {}));
    expect((await resolve(draft(10), { catalogs: true })).owners).toEqual([4]);
    expect((await resolve(draft(10), { catalogs: true })).owners).toEqual([4]);
    expect(reads).toEqual([0, 10, 21]);
  });

  it('and what is thought of a private one, is for those who may open it', async () => {
    const { resolve } = resolverOver([event(10, 'SmartlistCreated', terms)]);
    const about = { owners: [9], others: { are: 'everybody' }, about: { kind: 'search', id: 1 } } as const;
    expect(await resolve(about, { catalogs: true })).toMatchObject({ owners: [9], within: [2, 3] });
    expect((await resolverOver([]).resolve(about, { catalogs: true })).within).toEqual([]);
  });
});

describe('catalogs of what something is about', () => {
  it('are none for what is not there, and for kinds that nobody knows; genres lie in none', async () => {
    const { resolve } = resolverOver([]);
    const about = async (kind: string, catalogs = true): Promise<readonly number[] | undefined> =>
      (await resolve({ owners: [], others: { are: 'everybody' }, about: { kind, id: 1 } }, { catalogs })).catalogIds;
    expect([await about('song'), await about('podcast'), await about('genre'), await about('song', false)]).toEqual([
      [],
      [],
      undefined,
      undefined,
    ]);
  });
});
