import type { Aggregate } from '@continuo/chassis';
import {
  MAX_MEMBERS_PER_EVENT,
  MAX_PLAYLIST_MEMBERS,
  MAX_REPLACED_PER_EVENT,
  playlistChanged,
  playlistCleared,
  playlistCreated,
  playlistDeleted,
  playlistMembersAdded,
  playlistMembersMovedLast,
  playlistMembersRemoved,
  playlistMembersReplaced,
  Rejection,
  type PlaylistEvent,
  type PlaylistId,
  type PlaylistMemberKind,
  type PlaylistTerms,
  type UserId,
} from '@continuo/contracts';
import { evolvePlaylist, kindAt, noPlaylist, type PlaylistState } from './playlist-state.js';
import { differing, withoutAccount } from '../list-terms/list-terms.js';

/** Things of one kind, in order. */
export interface MemberRun {
  readonly kind: PlaylistMemberKind;
  readonly objectIds: readonly number[];
}

/** Thing to put at an entry; null = after the last. */
export interface Place {
  readonly entry: number | null;
  readonly kind: PlaylistMemberKind;
  readonly objectId: number;
}

/** Commands of a list. */
export type PlaylistCommand = { readonly playlistId: PlaylistId } & (
  | { readonly type: 'create'; readonly terms: PlaylistTerms; readonly members: readonly MemberRun[] }
  | { readonly type: 'change'; readonly changes: Partial<PlaylistTerms>; readonly places: readonly Place[] }
  | { readonly type: 'add'; readonly members: readonly MemberRun[]; readonly isUnique: boolean }
  | { readonly type: 'remove'; readonly entries: readonly number[] }
  | { readonly type: 'clear' }
  | { readonly type: 'order'; readonly entries: readonly number[] }
  | { readonly type: 'replace'; readonly members: readonly MemberRun[]; readonly expectedRevision: number | undefined }
  | { readonly type: 'forget-user'; readonly userId: UserId }
  | { readonly type: 'delete' }
);

type Is<T extends PlaylistCommand['type']> = Extract<PlaylistCommand, { type: T }>;

const chunks = <T>(items: readonly T[], size: number = MAX_MEMBERS_PER_EVENT): T[][] => {
  const cut: T[][] = [];
  for (let at = 0; at < items.length; at += size) cut.push(items.slice(at, at + size));
  return cut;
};

const countOf = (members: readonly MemberRun[]): number => members.reduce((sum, { objectIds }) => sum + objectIds.length, 0);

const refuseTooMany = (count: number): void => {
  if (count > MAX_PLAYLIST_MEMBERS) throw new Rejection('playlist.full', `A playlist holds at most ${MAX_PLAYLIST_MEMBERS} members`);
};

/** Members after the last, numbered from `firstEntry`. */
const additions = (playlistId: PlaylistId, members: readonly MemberRun[], firstEntry: number): PlaylistEvent[] => {
  let next = firstEntry;
  return members.flatMap(({ kind, objectIds }) =>
    chunks(objectIds).map((run) => {
      const event = playlistMembersAdded({ playlistId, kind, firstEntry: next, objectIds: run });
      next += run.length;
      return event;
    }),
  );
};

const removals = (playlistId: PlaylistId, entries: readonly number[]): PlaylistEvent[] =>
  chunks(entries).map((run) => playlistMembersRemoved({ playlistId, entries: run }));

/** Members that the list does not hold yet, each thing once. */
const newOnes = (state: PlaylistState, members: readonly MemberRun[]): MemberRun[] => {
  const key = (kind: PlaylistMemberKind, id: number): string | number => (kind === 'song' ? id : `${kind} ${id}`);
  const seen = new Set(state.objectIds.map((id, index) => key(kindAt(state, state.entries[index] ?? 0), id)));
  const isNew = (kind: PlaylistMemberKind, id: number): boolean => {
    const isFresh = !seen.has(key(kind, id));
    seen.add(key(kind, id));
    return isFresh;
  };
  return members.map(({ kind, objectIds }) => ({ kind, objectIds: objectIds.filter((id) => isNew(kind, id)) }));
};

const add = (state: PlaylistState, { playlistId, members, isUnique }: Is<'add'>): PlaylistEvent[] => {
  const wanted = isUnique ? newOnes(state, members) : members;
  refuseTooMany(state.entries.length + countOf(wanted));
  return additions(playlistId, wanted, state.next);
};

const remove = (state: PlaylistState, { playlistId, entries }: Is<'remove'>): PlaylistEvent[] => {
  const gone = new Set(entries);
  return removals(
    playlistId,
    state.entries.filter((entry) => gone.has(entry)),
  );
};

/** Replacements by entry: the last one given for an entry counts, and a thing that is there already is no change. */
const replacements = (state: PlaylistState, playlistId: PlaylistId, places: readonly Place[]): PlaylistEvent[] => {
  const objects = new Map(state.entries.map((entry, index) => [entry, state.objectIds[index]]));
  const wanted = new Map(
    places.flatMap(({ entry, kind, objectId }) => (entry === null ? [] : [[entry, { entry, kind, objectId }] as const])),
  );
  for (const entry of wanted.keys())
    if (!objects.has(entry)) throw new Rejection('conflict', 'a member of the list is gone by now', 'tracks');
  const members = [...wanted.values()].filter(
    ({ entry, kind, objectId }) => objects.get(entry) !== objectId || kindAt(state, entry) !== kind,
  );
  return chunks(members, MAX_REPLACED_PER_EVENT).map((run) => playlistMembersReplaced({ playlistId, members: run }));
};

const change = (state: PlaylistState, { playlistId, changes, places }: Is<'change'>): PlaylistEvent[] => {
  const terms = differing(state.terms, changes);
  const behind = places.filter(({ entry }) => entry === null).map(({ kind, objectId }) => ({ kind, objectIds: [objectId] }));
  refuseTooMany(state.entries.length + behind.length);
  return [
    ...(Object.keys(terms).length === 0 ? [] : [playlistChanged({ playlistId, ...terms })]),
    ...replacements(state, playlistId, places),
    ...additions(playlistId, joined(behind), state.next),
  ];
};

/** Runs of one kind that follow each other as one. */
const joined = (runs: readonly MemberRun[]): MemberRun[] => {
  const whole: { kind: PlaylistMemberKind; objectIds: number[] }[] = [];
  for (const { kind, objectIds } of runs) {
    const last = whole.at(-1);
    if (last?.kind === kind) last.objectIds.push(...objectIds);
    else whole.push({ kind, objectIds: [...objectIds] });
  }
  return whole;
};

/** The entries as asked, then those that were not named; what both orders begin with is not moved. */
const order = (state: PlaylistState, { playlistId, entries }: Is<'order'>): PlaylistEvent[] => {
  const known = new Set(state.entries);
  const named = new Set(entries.filter((entry) => known.has(entry)));
  const wanted = [...named, ...state.entries.filter((entry) => !named.has(entry))];
  const first = wanted.findIndex((entry, index) => entry !== state.entries[index]);
  if (first < 0) return [];
  let rank = state.next;
  return chunks(wanted.slice(first)).map((run) => {
    const event = playlistMembersMovedLast({ playlistId, firstRank: rank, entries: run });
    rank += run.length;
    return event;
  });
};

/** Replaces the members: those already in the wanted order stay, the others are removed, and missing ones are added. */
const replace = (state: PlaylistState, { playlistId, members, expectedRevision }: Is<'replace'>): PlaylistEvent[] => {
  if (expectedRevision !== undefined && expectedRevision !== state.revision)
    throw new Rejection('conflict', 'the list has other members by now');
  refuseTooMany(countOf(members));
  const wanted = members.flatMap(({ kind, objectIds }) => objectIds.map((objectId) => ({ kind, objectId })));
  let kept = 0;
  const gone = state.entries.filter((entry, index) => {
    const next = wanted[kept];
    const stays = next?.objectId === state.objectIds[index] && next?.kind === kindAt(state, entry);
    if (stays) kept += 1;
    return !stays;
  });
  const isAllGone = kept === 0 && gone.length > 0;
  const lacking = joined(wanted.slice(kept).map(({ kind, objectId }) => ({ kind, objectIds: [objectId] })));
  return [...(isAllGone ? [playlistCleared({ playlistId })] : removals(playlistId, gone)), ...additions(playlistId, lacking, state.next)];
};

/** Keeps a list that others can use, without the user; ends one that only they could see. */
const forgetUser = ({ terms }: PlaylistState, { playlistId, userId }: Is<'forget-user'>): PlaylistEvent[] => {
  const left = withoutAccount(terms, userId);
  if (left === 'as it is') return [];
  return left === 'ended' ? [playlistDeleted({ playlistId })] : [playlistChanged({ playlistId, ...left })];
};

const create = (state: PlaylistState, { playlistId, terms, members }: Is<'create'>): PlaylistEvent[] => {
  // The number was given out twice, as after a loss of the database: the caller takes the next one.
  if (state.status !== 'none') throw new Rejection('conflict', `playlist ${playlistId} exists`);
  refuseTooMany(countOf(members));
  return [playlistCreated({ playlistId, ...terms }), ...additions(playlistId, members, state.next)];
};

const decide = (state: PlaylistState, command: PlaylistCommand): readonly PlaylistEvent[] => {
  const { playlistId } = command;
  const isPresent = state.status === 'present';
  if (command.type === 'create') return create(state, command);
  if (command.type === 'delete') return isPresent ? [playlistDeleted({ playlistId })] : [];
  if (command.type === 'forget-user') return isPresent ? forgetUser(state, command) : [];
  if (!isPresent) throw new Rejection('playlist.not-found');
  switch (command.type) {
    case 'change':
      return change(state, command);
    case 'add':
      return add(state, command);
    case 'remove':
      return remove(state, command);
    case 'clear':
      return state.entries.length === 0 ? [] : [playlistCleared({ playlistId })];
    case 'order':
      return order(state, command);
    case 'replace':
      return replace(state, command);
  }
};

/** One list. */
export const playlist: Aggregate<PlaylistState, PlaylistCommand, PlaylistEvent> = {
  context: 'library',
  kind: 'playlist',
  initialState: noPlaylist,
  decide,
  evolve: evolvePlaylist,
};
