import { specFor } from '@continuo/chassis/testkit';
import {
  MAX_PLAYLIST_MEMBERS,
  playlistChanged,
  playlistCleared,
  playlistCreated,
  playlistDeleted,
  playlistId,
  playlistMembersAdded,
  playlistMembersMovedLast,
  playlistMembersRemoved,
  playlistMembersReplaced,
  userId,
  type PlaylistEvent,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { playlist, type PlaylistCommand } from './playlist.decider.js';

const { given } = specFor(playlist);
const id = playlistId.parse(7);
const [ada, bob] = [userId.parse(1), userId.parse(2)];
const terms = { name: 'Rain', ownerId: ada, isPublic: false, comment: '', collaboratorIds: [] };
const created = playlistCreated({ playlistId: id, ...terms });
const added = (firstEntry: number, ...objectIds: number[]): PlaylistEvent =>
  playlistMembersAdded({ playlistId: id, kind: 'song', firstEntry, objectIds });
const video = (firstEntry: number, ...objectIds: number[]): PlaylistEvent =>
  playlistMembersAdded({ playlistId: id, kind: 'video', firstEntry, objectIds });
const removed = (...entries: number[]): PlaylistEvent => playlistMembersRemoved({ playlistId: id, entries });
const songs = (...objectIds: number[]) => [{ kind: 'song' as const, objectIds }];

/** Members of the list after some events, by entry. */
const membersAfter = (events: readonly PlaylistEvent[]): [number, number][] => {
  const state = events.reduce(playlist.evolve, playlist.initialState);
  return state.entries.map((entry, index) => [entry, state.objectIds[index] ?? 0]);
};
const after = (events: readonly PlaylistEvent[], command: PlaylistCommand): number[] => {
  const state = events.reduce(playlist.evolve, playlist.initialState);
  return membersAfter([...events, ...playlist.decide(state, command)]).map(([, object]) => object);
};

describe('making and ending a list', () => {
  const create = { type: 'create', playlistId: id, terms, members: songs(5, 5, 6) } as const;
  it('makes it with its first members', () =>
    given([])
      .when(create)
      .then([created, added(1, 5, 5, 6)]));
  it('refuses a number that was given before', () => {
    given([created]).when(create).thenRejected('conflict');
    given([created, playlistDeleted({ playlistId: id })])
      .when(create)
      .thenRejected('conflict');
  });
  it('ends it once, and knows nothing of it then', () => {
    const gone = playlistDeleted({ playlistId: id });
    given([created]).when({ type: 'delete', playlistId: id }).then([gone]);
    given([created, gone]).when({ type: 'delete', playlistId: id }).then([]);
    given([created, gone])
      .when({ type: 'add', playlistId: id, members: songs(1), isUnique: false })
      .thenRejected('playlist.not-found');
    given([]).when({ type: 'clear', playlistId: id }).thenRejected('playlist.not-found');
  });
});

describe('members', () => {
  const three = [created, added(1, 10, 20, 30)];

  it('are added after the last, as often as they are named', () =>
    given(three)
      .when({ type: 'add', playlistId: id, members: [...songs(10), { kind: 'video', objectIds: [10] }], isUnique: false })
      .then([added(4, 10), video(5, 10)]));
  it('are added once where that is wanted; other kinds have numbers of their own', () => {
    const wanted = [...songs(20, 40, 40), { kind: 'video' as const, objectIds: [20, 20] }];
    given(three)
      .when({ type: 'add', playlistId: id, members: wanted, isUnique: true })
      .then([added(4, 40), video(5, 20)]);
    given([...three, video(4, 20)])
      .when({ type: 'add', playlistId: id, members: [{ kind: 'video', objectIds: [20] }], isUnique: true })
      .then([]);
  });
  it('never get the number of one that has gone', () =>
    given([...three, removed(3), playlistCleared({ playlistId: id })])
      .when({ type: 'add', playlistId: id, members: songs(50), isUnique: false })
      .then([added(4, 50)]));
  it('are removed by entry, those that are there', () => {
    given(three)
      .when({ type: 'remove', playlistId: id, entries: [3, 2, 2, 99] })
      .then([removed(2, 3)]);
    given([...three, removed(2)])
      .when({ type: 'remove', playlistId: id, entries: [2] })
      .then([]);
  });
  it('are all gone after clearing, which is no event for an empty list', () => {
    given(three)
      .when({ type: 'clear', playlistId: id })
      .then([playlistCleared({ playlistId: id })]);
    given([created]).when({ type: 'clear', playlistId: id }).then([]);
  });
  it('come in events of a bounded size', () => {
    const many = Array.from({ length: 50_001 }, (_, index) => index + 1);
    const state = three.reduce(playlist.evolve, playlist.initialState);
    const events = playlist.decide(state, { type: 'add', playlistId: id, members: songs(...many), isUnique: false });
    expect(events.map(({ data }) => ('objectIds' in data ? [data.firstEntry, data.objectIds.length] : []))).toEqual([
      [4, 25_000],
      [25_004, 25_000],
      [50_004, 1],
    ]);
    expect(membersAfter([...three, ...events]).at(-1)).toEqual([50_004, 50_001]);
  });
  it('fit into an event however large their numbers are', () => {
    const MAX_EVENT_BYTES = 512 * 1024;
    const many = Array.from({ length: 60_000 }, () => 2_000_000_000);
    const start = [created, playlistMembersMovedLast({ playlistId: id, firstRank: 900_000_000, entries: [1] })];
    const members = [{ kind: 'podcast_episode' as const, objectIds: many }];
    const grown = playlist.decide(start.reduce(playlist.evolve, playlist.initialState), {
      type: 'add',
      playlistId: id,
      members,
      isUnique: false,
    });
    const state = [...start, ...grown].reduce(playlist.evolve, playlist.initialState);
    const places = state.entries.map((entry) => ({ entry, kind: 'live_stream' as const, objectId: 2_000_000_001 }));
    const replaced = playlist.decide(state, { type: 'change', playlistId: id, changes: {}, places });
    const ordered = playlist.decide(state, { type: 'order', playlistId: id, entries: state.entries.toReversed() });
    const removedAll = playlist.decide(state, { type: 'remove', playlistId: id, entries: state.entries.slice(1) });
    for (const event of [...grown, ...replaced, ...ordered, ...removedAll])
      expect(Buffer.byteLength(JSON.stringify(event.data))).toBeLessThan(MAX_EVENT_BYTES);
  });
  it('are no more than a list holds', () => {
    const full = Array.from({ length: MAX_PLAYLIST_MEMBERS - 2 }, () => 1);
    given(three)
      .when({ type: 'add', playlistId: id, members: [{ kind: 'song', objectIds: full }], isUnique: false })
      .thenRejected('playlist.full');
  });
});

describe('terms and places', () => {
  const three = [created, added(1, 10, 20, 30)];
  const nothing = { type: 'change', playlistId: id, changes: {}, places: [] } as const;

  it('change where they differ', () => {
    const changes = { name: 'Rain', isPublic: true, collaboratorIds: [bob] };
    given(three)
      .when({ ...nothing, changes })
      .then([playlistChanged({ playlistId: id, isPublic: true, collaboratorIds: [bob] })]);
    given([...three, playlistChanged({ playlistId: id, isPublic: true, collaboratorIds: [bob] })])
      .when({ ...nothing, changes })
      .then([]);
  });
  it('put things at entries and after the last', () => {
    const places = [
      { entry: 2, kind: 'song' as const, objectId: 21 },
      { entry: 3, kind: 'song' as const, objectId: 30 },
      { entry: null, kind: 'song' as const, objectId: 40 },
      { entry: null, kind: 'song' as const, objectId: 50 },
    ];
    given(three)
      .when({ ...nothing, places })
      .then([playlistMembersReplaced({ playlistId: id, members: [{ entry: 2, kind: 'song', objectId: 21 }] }), added(4, 40, 50)]);
  });
  it('are refused as a whole when a place is gone', () =>
    given([...three, removed(2)])
      .when({ ...nothing, changes: { name: 'Sun' }, places: [{ entry: 2, kind: 'song', objectId: 21 }] })
      .thenRejected('conflict'));
  it('make another kind of a member', () => {
    const replaced = playlistMembersReplaced({ playlistId: id, members: [{ entry: 1, kind: 'video', objectId: 10 }] });
    given(three)
      .when({ ...nothing, places: [{ entry: 1, kind: 'video', objectId: 10 }] })
      .then([replaced]);
    given([...three, replaced])
      .when({ ...nothing, places: [{ entry: 1, kind: 'song', objectId: 10 }] })
      .then([playlistMembersReplaced({ playlistId: id, members: [{ entry: 1, kind: 'song', objectId: 10 }] })]);
  });
});

describe('order', () => {
  const four = [created, added(1, 10, 20, 30, 40)];

  it('moves what comes after the first difference', () => {
    given(four)
      .when({ type: 'order', playlistId: id, entries: [1, 4, 3, 2] })
      .then([playlistMembersMovedLast({ playlistId: id, firstRank: 5, entries: [4, 3, 2] })]);
    given(four)
      .when({ type: 'order', playlistId: id, entries: [1, 2, 3, 4] })
      .then([]);
  });
  it('keeps what came in meanwhile behind, and passes over what has gone', () => {
    const since = [...four, removed(2), added(5, 50)];
    expect(after(since, { type: 'order', playlistId: id, entries: [4, 3, 2, 1] })).toEqual([40, 30, 10, 50]);
  });
  it('holds after more is added and moved', () => {
    const moved = playlistMembersMovedLast({ playlistId: id, firstRank: 5, entries: [2, 1] });
    const events = [...four, moved, added(7, 70)];
    expect(membersAfter(events)).toEqual([
      [3, 30],
      [4, 40],
      [2, 20],
      [1, 10],
      [7, 70],
    ]);
  });
});

describe('a whole list in place of another', () => {
  const four = [created, added(1, 10, 20, 30, 40)];
  const replace = (...objectIds: number[]) =>
    ({ type: 'replace', playlistId: id, members: songs(...objectIds), expectedRevision: undefined }) as const;

  it('leaves alone what comes in the same order', () => {
    given(four)
      .when(replace(10, 20, 30, 40))
      .then([]);
    given(four)
      .when(replace(10, 30, 40))
      .then([removed(2)]);
    given(four)
      .when(replace(10, 20, 30, 40, 50))
      .then([added(5, 50)]);
    given(four)
      .when(replace(5))
      .then([playlistCleared({ playlistId: id }), added(5, 5)]);
    given(four)
      .when(replace())
      .then([playlistCleared({ playlistId: id })]);
  });
  it.each([
    [40, 10, 20, 30],
    [20, 10, 40, 30],
    [10, 10, 20, 99, 40],
    [30, 30, 30],
  ])('gives %i, %i, %i …', (...objectIds) => expect(after(four, replace(...objectIds))).toEqual(objectIds));
  it('is refused when the members are others than the sender knew', () => {
    given(four)
      .when({ ...replace(10), expectedRevision: 1 })
      .then([removed(2, 3, 4)]);
    given([...four, removed(2)])
      .when({ ...replace(10), expectedRevision: 1 })
      .thenRejected('conflict');
  });
});

describe('an account that is gone', () => {
  const forget = { type: 'forget-user', playlistId: id, userId: ada } as const;
  it('takes along what only it could see', () =>
    given([created])
      .when(forget)
      .then([playlistDeleted({ playlistId: id })]));
  it('leaves to the system what others could see', () => {
    given([created, playlistChanged({ playlistId: id, isPublic: true })])
      .when(forget)
      .then([playlistChanged({ playlistId: id, ownerId: null })]);
    given([created, playlistChanged({ playlistId: id, collaboratorIds: [bob] })])
      .when(forget)
      .then([playlistChanged({ playlistId: id, ownerId: null })]);
  });
  it('collaborates no more', () =>
    given([playlistCreated({ playlistId: id, ...terms, ownerId: bob, collaboratorIds: [ada, bob] })])
      .when(forget)
      .then([playlistChanged({ playlistId: id, collaboratorIds: [bob] })]));
  it('is forgotten once', () =>
    given([created, playlistChanged({ playlistId: id, ownerId: bob })])
      .when(forget)
      .then([]));
});
