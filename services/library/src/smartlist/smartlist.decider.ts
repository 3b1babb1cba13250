import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  smartlistChanged,
  smartlistCounted,
  smartlistCreated,
  smartlistDeleted,
  type SmartlistEvent,
  type SmartlistId,
  type SmartlistTerms,
  type UserId,
} from '@continuo/contracts';
import { differing, withoutAccount } from '../list-terms/list-terms.js';

/** Commands of a smartlist. */
export type SmartlistCommand = { readonly smartlistId: SmartlistId } & (
  | { readonly type: 'create'; readonly terms: SmartlistTerms }
  | { readonly type: 'change'; readonly changes: Partial<SmartlistTerms> }
  | { readonly type: 'count'; readonly songCount: number; readonly durationMs: number; readonly nowMs: number }
  | { readonly type: 'forget-user'; readonly userId: UserId }
  | { readonly type: 'delete' }
);

/** A smartlist and how much was in it when it was last run. */
export interface SmartlistState {
  readonly status: 'none' | 'present' | 'deleted';
  readonly terms: SmartlistTerms;
  readonly counted: { readonly songCount: number; readonly durationMs: number; readonly atMs: number } | null;
}

type Is<T extends SmartlistCommand['type']> = Extract<SmartlistCommand, { type: T }>;

const nothing: SmartlistState = {
  status: 'none',
  terms: { name: '', ownerId: null, isPublic: false, collaboratorIds: [], rules: [], logic: 'and', isRandom: false, limit: 0 },
  counted: null,
};

/** A list whose number changes all the time, such as one of what was played lately, is noted no more often than this. */
export const COUNTED_AT_MOST_EVERY_MS = 60_000;

const create = (state: SmartlistState, { smartlistId, terms }: Is<'create'>): SmartlistEvent[] => {
  // The number was given out twice, as after a loss of the database: the caller takes the next one.
  if (state.status !== 'none') throw new Rejection('conflict', `smartlist ${smartlistId} exists`);
  return [smartlistCreated({ smartlistId, ...terms })];
};

const change = ({ terms }: SmartlistState, { smartlistId, changes }: Is<'change'>): SmartlistEvent[] => {
  const differences = differing(terms, changes);
  return Object.keys(differences).length === 0 ? [] : [smartlistChanged({ smartlistId, ...differences })];
};

const count = ({ counted }: SmartlistState, { smartlistId, songCount, durationMs, nowMs }: Is<'count'>): SmartlistEvent[] => {
  const isKnown = counted?.songCount === songCount && counted.durationMs === durationMs;
  if (isKnown || (counted !== null && nowMs - counted.atMs < COUNTED_AT_MOST_EVERY_MS)) return [];
  return [smartlistCounted({ smartlistId, songCount, durationMs, countedAtMs: nowMs })];
};

/** Keeps a smartlist that others can use, without the user; ends one that only they could see. */
const forgetUser = ({ terms }: SmartlistState, { smartlistId, userId }: Is<'forget-user'>): SmartlistEvent[] => {
  const left = withoutAccount(terms, userId);
  if (left === 'as it is') return [];
  return left === 'ended' ? [smartlistDeleted({ smartlistId })] : [smartlistChanged({ smartlistId, ...left })];
};

const decide = (state: SmartlistState, command: SmartlistCommand): readonly SmartlistEvent[] => {
  const { smartlistId } = command;
  const isPresent = state.status === 'present';
  if (command.type === 'create') return create(state, command);
  if (command.type === 'delete') return isPresent ? [smartlistDeleted({ smartlistId })] : [];
  if (command.type === 'forget-user') return isPresent ? forgetUser(state, command) : [];
  if (!isPresent) throw new Rejection('smartlist.not-found');
  return command.type === 'change' ? change(state, command) : count(state, command);
};

const evolve = (state: SmartlistState, event: SmartlistEvent): SmartlistState => {
  switch (event.type) {
    case 'SmartlistCreated': {
      const { smartlistId: _, ...terms } = event.data;
      return { ...state, status: 'present', terms };
    }
    case 'SmartlistChanged': {
      const { smartlistId: _, ...changes } = event.data;
      return { ...state, terms: { ...state.terms, ...changes } };
    }
    case 'SmartlistCounted': {
      const { songCount, durationMs, countedAtMs: atMs } = event.data;
      return { ...state, counted: { songCount, durationMs, atMs } };
    }
    case 'SmartlistDeleted':
      return { ...nothing, status: 'deleted' };
    default:
      return state;
  }
};

/** One smartlist. */
export const smartlist: Aggregate<SmartlistState, SmartlistCommand, SmartlistEvent> = {
  context: 'library',
  kind: 'smartlist',
  initialState: nothing,
  decide,
  evolve,
};
