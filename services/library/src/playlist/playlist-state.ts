import type { PlaylistEvent, PlaylistMemberKind, PlaylistTerms } from '@continuo/contracts';

/**
 * A list and its members in their order, as two columns: tens of thousands of objects would take many times the room in a snapshot, and every command loads
 * that.
 */
export interface PlaylistState {
  readonly status: 'none' | 'present' | 'deleted';
  readonly terms: PlaylistTerms;
  readonly entries: readonly number[];
  /** The thing at each of the entries. */
  readonly objectIds: readonly number[];
  /** Kinds by entry, of what is no song. */
  readonly kinds: Readonly<Record<string, PlaylistMemberKind>>;
  /** The next entry and rank. */
  readonly next: number;
  /** Counts the changes of members. */
  readonly revision: number;
}

/** Before anything has happened. */
export const noPlaylist: PlaylistState = {
  status: 'none',
  terms: { name: '', ownerId: null, isPublic: false, comment: '', collaboratorIds: [] },
  entries: [],
  objectIds: [],
  kinds: {},
  next: 1,
  revision: 0,
};

/** Kind of the thing at an entry. */
export const kindAt = (state: PlaylistState, entry: number): PlaylistMemberKind => state.kinds[entry] ?? 'song';

const without = (state: PlaylistState, entries: readonly number[]): PlaylistState => {
  const gone = new Set(entries);
  const stays = state.entries.map((entry) => !gone.has(entry));
  return {
    ...state,
    entries: state.entries.filter((_, index) => stays[index]),
    objectIds: state.objectIds.filter((_, index) => stays[index]),
    kinds: Object.fromEntries(Object.entries(state.kinds).filter(([entry]) => !gone.has(Number(entry)))),
  };
};

type Data<T extends PlaylistEvent['type']> = Extract<PlaylistEvent, { type: T }>['data'];

const kindsOf = (entries: readonly number[], kind: PlaylistMemberKind): Record<string, PlaylistMemberKind> =>
  kind === 'song' ? {} : Object.fromEntries(entries.map((entry) => [entry, kind]));

const withAdded = (state: PlaylistState, { firstEntry, kind, objectIds }: Data<'PlaylistMembersAdded'>): PlaylistState => {
  const entries = objectIds.map((_, index) => firstEntry + index);
  return {
    ...state,
    entries: state.entries.concat(entries),
    objectIds: state.objectIds.concat(objectIds),
    kinds: kind === 'song' ? state.kinds : { ...state.kinds, ...kindsOf(entries, kind) },
    next: firstEntry + objectIds.length,
  };
};

const withReplaced = (state: PlaylistState, { members }: Data<'PlaylistMembersReplaced'>): PlaylistState => {
  const others = new Map(members.map((member) => [member.entry, member]));
  const kinds = { ...state.kinds };
  for (const { entry, kind } of members) {
    if (kind === 'song') delete kinds[entry];
    else kinds[entry] = kind;
  }
  const objectIds = state.entries.map((entry, index) => others.get(entry)?.objectId ?? (state.objectIds[index] as number));
  return { ...state, objectIds, kinds };
};

const withMovedLast = (state: PlaylistState, { firstRank, entries }: Data<'PlaylistMembersMovedLast'>): PlaylistState => {
  const objects = new Map(state.entries.map((entry, index) => [entry, state.objectIds[index] as number]));
  const stays = new Set(state.entries).difference(new Set(entries));
  const ordered = [...stays, ...entries];
  return { ...state, entries: ordered, objectIds: ordered.map((entry) => objects.get(entry) as number), next: firstRank + entries.length };
};

const members = (state: PlaylistState, event: PlaylistEvent): PlaylistState => {
  switch (event.type) {
    case 'PlaylistMembersAdded':
      return withAdded(state, event.data);
    case 'PlaylistMembersRemoved':
      return without(state, event.data.entries);
    case 'PlaylistMembersReplaced':
      return withReplaced(state, event.data);
    case 'PlaylistMembersMovedLast':
      return withMovedLast(state, event.data);
    case 'PlaylistCleared':
      return { ...state, entries: [], objectIds: [], kinds: {} };
    default:
      return state;
  }
};

/** Applies an event to a list. */
export const evolvePlaylist = (state: PlaylistState, event: PlaylistEvent): PlaylistState => {
  switch (event.type) {
    case 'PlaylistCreated': {
      const { playlistId: _, ...terms } = event.data;
      return { ...state, status: 'present', terms };
    }
    case 'PlaylistChanged': {
      const { playlistId: _, ...changes } = event.data;
      return { ...state, terms: { ...state.terms, ...changes } };
    }
    case 'PlaylistDeleted':
      return { ...noPlaylist, status: 'deleted' };
    default: {
      const changed = members(state, event);
      return changed === state ? state : { ...changed, revision: state.revision + 1 };
    }
  }
};
