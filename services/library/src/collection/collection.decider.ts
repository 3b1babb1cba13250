import type { Aggregate } from '@continuo/chassis';
import {
  collectionChanged,
  collectionCreated,
  collectionDeleted,
  collectionMemberAdded,
  collectionMembersRemoved,
  collectionMembersReplaced,
  MAX_COLLECTION_MEMBERS,
  Rejection,
  type CollectedKind,
  type CollectionEvent,
  type CollectionId,
  type CollectionTerms,
  type UserId,
} from '@continuo/contracts';
import { differing, withoutAccount } from '../list-terms/list-terms.js';

/** Something that can be collected. */
export interface Thing {
  readonly kind: CollectedKind;
  readonly objectId: number;
}

/** Thing to put at an entry; null = after the last. */
export interface CollectionPlace extends Thing {
  readonly entry: number | null;
}

/** Commands of a collection. */
export type CollectionCommand = { readonly collectionId: CollectionId } & (
  | { readonly type: 'create'; readonly terms: CollectionTerms }
  | { readonly type: 'change'; readonly changes: Partial<CollectionTerms>; readonly places: readonly CollectionPlace[] }
  | { readonly type: 'add'; readonly thing: Thing; readonly isUnique: boolean }
  | { readonly type: 'remove'; readonly entries: readonly number[] }
  | { readonly type: 'forget-user'; readonly userId: UserId }
  | { readonly type: 'delete' }
);

/** A collection and its members, in order. */
export interface CollectionState {
  readonly status: 'none' | 'present' | 'deleted';
  readonly terms: CollectionTerms;
  readonly members: readonly (Thing & { readonly entry: number })[];
  /** The next entry. */
  readonly next: number;
}

type Is<T extends CollectionCommand['type']> = Extract<CollectionCommand, { type: T }>;

const nothing: CollectionState = {
  status: 'none',
  terms: { name: '', ownerId: null, isPublic: false, collaboratorIds: [], objectKind: null },
  members: [],
  next: 1,
};

const isThing = (a: Thing, b: Thing): boolean => a.kind === b.kind && a.objectId === b.objectId;

const refuseTooMany = (count: number): void => {
  if (count > MAX_COLLECTION_MEMBERS)
    throw new Rejection('collection.full', `A collection holds at most ${MAX_COLLECTION_MEMBERS} members`);
};

/** A collection of one kind holds nothing else. */
const refuseOtherKinds = (only: CollectedKind | null, things: readonly Thing[]): void => {
  const other = only === null ? undefined : things.find(({ kind }) => kind !== only);
  if (other) throw new Rejection('collection.other-kind', `the collection is one of ${only}, not of ${other.kind}`, 'object_type');
};

const additions = (state: CollectionState, collectionId: CollectionId, things: readonly Thing[]): CollectionEvent[] => {
  refuseTooMany(state.members.length + things.length);
  return things.map(({ kind, objectId }, index) => collectionMemberAdded({ collectionId, entry: state.next + index, kind, objectId }));
};

const add = (state: CollectionState, { collectionId, thing, isUnique }: Is<'add'>): CollectionEvent[] => {
  refuseOtherKinds(state.terms.objectKind, [thing]);
  if (isUnique && state.members.some((member) => isThing(member, thing))) return [];
  return additions(state, collectionId, [thing]);
};

const remove = (state: CollectionState, { collectionId, entries }: Is<'remove'>): CollectionEvent[] => {
  const wanted = new Set(entries);
  const there = state.members.map(({ entry }) => entry).filter((entry) => wanted.has(entry));
  return there.length === 0 ? [] : [collectionMembersRemoved({ collectionId, entries: there })];
};

/** Things by entry: the last one given for an entry counts. */
const wantedPlaces = (state: CollectionState, places: readonly CollectionPlace[]): ReadonlyMap<number, Thing> => {
  const wanted = new Map(places.flatMap(({ entry, kind, objectId }) => (entry === null ? [] : [[entry, { kind, objectId }] as const])));
  const known = new Set(state.members.map(({ entry }) => entry));
  for (const entry of wanted.keys())
    if (!known.has(entry)) throw new Rejection('conflict', 'a member of the collection is gone by now', 'tracks');
  return wanted;
};

const change = (state: CollectionState, { collectionId, changes, places }: Is<'change'>): CollectionEvent[] => {
  const terms = differing(state.terms, changes);
  const wanted = wantedPlaces(state, places);
  const after = state.members.map((member) => ({ ...member, ...wanted.get(member.entry) }));
  const behind = places.filter(({ entry }) => entry === null);
  refuseOtherKinds(terms.objectKind === undefined ? state.terms.objectKind : terms.objectKind, [...after, ...behind]);
  const moved = after.filter((member, index) => !isThing(member, state.members[index] ?? member));
  return [
    ...(Object.keys(terms).length === 0 ? [] : [collectionChanged({ collectionId, ...terms })]),
    ...(moved.length === 0 ? [] : [collectionMembersReplaced({ collectionId, members: moved })]),
    ...additions(state, collectionId, behind),
  ];
};

/** Keeps a collection that others can use, without the user; ends one that only they could see. */
const forgetUser = ({ terms }: CollectionState, { collectionId, userId }: Is<'forget-user'>): CollectionEvent[] => {
  const left = withoutAccount(terms, userId);
  if (left === 'as it is') return [];
  return left === 'ended' ? [collectionDeleted({ collectionId })] : [collectionChanged({ collectionId, ...left })];
};

const decide = (state: CollectionState, command: CollectionCommand): readonly CollectionEvent[] => {
  const { collectionId } = command;
  const isPresent = state.status === 'present';
  if (command.type === 'create') {
    // The number was given out twice, as after a loss of the database: the caller takes the next one.
    if (state.status !== 'none') throw new Rejection('conflict', `collection ${collectionId} exists`);
    return [collectionCreated({ collectionId, ...command.terms })];
  }
  if (command.type === 'delete') return isPresent ? [collectionDeleted({ collectionId })] : [];
  if (command.type === 'forget-user') return isPresent ? forgetUser(state, command) : [];
  if (!isPresent) throw new Rejection('collection.not-found');
  switch (command.type) {
    case 'change':
      return change(state, command);
    case 'add':
      return add(state, command);
    case 'remove':
      return remove(state, command);
  }
};

const evolve = (state: CollectionState, event: CollectionEvent): CollectionState => {
  switch (event.type) {
    case 'CollectionCreated': {
      const { collectionId: _, ...terms } = event.data;
      return { ...state, status: 'present', terms };
    }
    case 'CollectionChanged': {
      const { collectionId: _, ...changes } = event.data;
      return { ...state, terms: { ...state.terms, ...changes } };
    }
    case 'CollectionMemberAdded': {
      const { entry, kind, objectId } = event.data;
      return { ...state, members: [...state.members, { entry, kind, objectId }], next: entry + 1 };
    }
    case 'CollectionMembersRemoved': {
      const gone = new Set(event.data.entries);
      return { ...state, members: state.members.filter(({ entry }) => !gone.has(entry)) };
    }
    case 'CollectionMembersReplaced': {
      const others = new Map(event.data.members.map((member) => [member.entry, member]));
      return { ...state, members: state.members.map((member) => others.get(member.entry) ?? member) };
    }
    case 'CollectionDeleted':
      return { ...nothing, status: 'deleted' };
    default:
      return state;
  }
};

/** One collection: things of any kind, picked by hand, in order. */
export const collection: Aggregate<CollectionState, CollectionCommand, CollectionEvent> = {
  context: 'library',
  kind: 'collection',
  initialState: nothing,
  decide,
  evolve,
};
