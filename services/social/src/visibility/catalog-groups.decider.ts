import type { Aggregate } from '@continuo/chassis';
import {
  catalogGroupAdded,
  catalogGroupFilled,
  catalogGroupJoined,
  catalogGroupRemoved,
  catalogGroupRenamed,
  Rejection,
  type CatalogGroupEvent,
  type CatalogId,
  type UserId,
} from '@continuo/contracts';

/** Commands of the groups of catalogs. */
export type CatalogGroupsCommand =
  | { readonly type: 'add'; readonly name: string }
  | { readonly type: 'rename'; readonly groupId: number; readonly name: string }
  | { readonly type: 'change'; readonly groupId: number; readonly add: readonly CatalogId[]; readonly remove: readonly CatalogId[] }
  | { readonly type: 'remove'; readonly groupId: number; readonly moveTo?: number | null }
  | { readonly type: 'join'; readonly userId: UserId; readonly groupId: number | null };

interface Group {
  readonly groupId: number;
  readonly name: string;
  readonly catalogIds: readonly CatalogId[];
}

/** All groups, who belongs to which, and the last number given to one. Accounts of the default group are not listed. */
export interface CatalogGroupsState {
  readonly groups: readonly Group[];
  readonly members: Readonly<Record<string, number>>;
  readonly lastGroupId: number;
}

/** The name of the group that sees everything; no other group may have it. */
export const DEFAULT_GROUP = 'default';

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

const groupOf = ({ groups }: CatalogGroupsState, groupId: number): Group => {
  const found = groups.find((group) => group.groupId === groupId);
  if (!found) throw new Rejection('input.invalid', `there is no group of catalogs ${groupId}`, 'groupId');
  return found;
};

const requireFreeName = ({ groups }: CatalogGroupsState, name: string, groupId?: number): void => {
  const isTaken = groups.some((group) => group.groupId !== groupId && nameKey(group.name) === nameKey(name));
  if (isTaken || nameKey(name) === DEFAULT_GROUP) throw new Rejection('input.invalid', `there is a group "${name}" already`, 'name');
};

const membersOf = ({ members }: CatalogGroupsState, groupId: number): UserId[] =>
  Object.entries(members)
    .filter(([, joined]) => joined === groupId)
    .map(([userId]) => Number(userId) as UserId);

const remove = (state: CatalogGroupsState, { groupId, moveTo }: Extract<CatalogGroupsCommand, { type: 'remove' }>): CatalogGroupEvent[] => {
  if (!state.groups.some((group) => group.groupId === groupId)) return [];
  const members = membersOf(state, groupId);
  // Falling back to the default group would show them everything: somebody has to say so.
  if (members.length > 0 && moveTo === undefined) {
    throw new Rejection('input.invalid', 'accounts belong to the group; say which group they are to have', 'moveTo');
  }
  if (moveTo === groupId) throw new Rejection('input.invalid', 'the group itself is the one to go', 'moveTo');
  if (typeof moveTo === 'number') groupOf(state, moveTo);
  const moved = members.map((userId) => catalogGroupJoined({ userId, groupId: moveTo ?? null }));
  return [...moved, catalogGroupRemoved({ groupId })];
};

const change = (state: CatalogGroupsState, command: Extract<CatalogGroupsCommand, { type: 'change' }>): CatalogGroupEvent[] => {
  const { catalogIds } = groupOf(state, command.groupId);
  const wanted = new Set([...catalogIds, ...command.add]);
  for (const catalogId of command.remove) wanted.delete(catalogId);
  const next = [...wanted].toSorted((a, b) => a - b);
  const isSame = next.length === catalogIds.length && next.every((catalogId, index) => catalogId === catalogIds[index]);
  return isSame ? [] : [catalogGroupFilled({ groupId: command.groupId, catalogIds: next })];
};

const decide = (state: CatalogGroupsState, command: CatalogGroupsCommand): readonly CatalogGroupEvent[] => {
  switch (command.type) {
    case 'add':
      requireFreeName(state, command.name);
      return [catalogGroupAdded({ groupId: state.lastGroupId + 1, name: command.name })];
    case 'rename': {
      const { groupId, name } = command;
      requireFreeName(state, name, groupId);
      return groupOf(state, groupId).name === name ? [] : [catalogGroupRenamed({ groupId, name })];
    }
    case 'change':
      return change(state, command);
    case 'remove':
      return remove(state, command);
    case 'join': {
      const { userId, groupId } = command;
      if (groupId !== null) groupOf(state, groupId);
      return (state.members[userId] ?? null) === groupId ? [] : [catalogGroupJoined({ userId, groupId })];
    }
    default:
      return command satisfies never;
  }
};

const changed = (state: CatalogGroupsState, groupId: number, fields: Partial<Group>): CatalogGroupsState => ({
  ...state,
  groups: state.groups.map((group) => (group.groupId === groupId ? { ...group, ...fields } : group)),
});

const joined = (members: CatalogGroupsState['members'], userId: UserId, groupId: number | null): CatalogGroupsState['members'] => {
  const { [String(userId)]: _, ...others } = members;
  return groupId === null ? others : { ...others, [String(userId)]: groupId };
};

const evolve = (state: CatalogGroupsState, event: CatalogGroupEvent): CatalogGroupsState => {
  switch (event.type) {
    case 'CatalogGroupAdded':
      return { ...state, groups: [...state.groups, { ...event.data, catalogIds: [] }], lastGroupId: event.data.groupId };
    case 'CatalogGroupRenamed':
      return changed(state, event.data.groupId, { name: event.data.name });
    case 'CatalogGroupFilled':
      return changed(state, event.data.groupId, { catalogIds: event.data.catalogIds });
    case 'CatalogGroupRemoved':
      return { ...state, groups: state.groups.filter(({ groupId }) => groupId !== event.data.groupId) };
    case 'CatalogGroupJoined':
      return { ...state, members: joined(state.members, event.data.userId, event.data.groupId) };
    default:
      return state;
  }
};

/** The id of the one aggregate. */
export const CATALOG_GROUPS_ID = 1;

/** Groups of catalogs and who belongs to which: small, so it is one aggregate, and a group that somebody belongs to cannot vanish. */
export const catalogGroups: Aggregate<CatalogGroupsState, CatalogGroupsCommand, CatalogGroupEvent> = {
  context: 'social',
  kind: 'catalog-groups',
  initialState: { groups: [], members: {}, lastGroupId: 0 },
  decide,
  evolve,
};
