import type { ShoutEvent, UserEvent } from '@continuo/contracts';
import { byUser, type Draft, type DraftFamily, type Drafting } from '../draft.js';

type UserData<T extends UserEvent['type']> = Extract<UserEvent, { type: T }>['data'];
type ShoutData<T extends ShoutEvent['type']> = Extract<ShoutEvent, { type: T }>['data'];

const ADMINISTRATOR = 100;

/** Accounts are the business of administrators. Names, addresses and whatever else is sealed stay in the log. */
const account = (type: Draft['type'], id: number, data?: Draft['data']): readonly Draft[] => [
  {
    type,
    object: { kind: 'user', id },
    ...(data ? { data } : {}),
    audience: { owners: [], others: { are: 'level', level: ADMINISTRATOR } },
  },
];

/** Accounts that come, go, and may or may not log in. Passwords, keys and profiles are nobody's business. */
export const userFamily: DraftFamily = {
  aggregate: 'user',
  types: ['user.made', 'user.enabled', 'user.disabled', 'user.level_changed', 'user.deleted'],
  drafts: {
    UserRegistered: (({ userId, access, awaiting }) =>
      account('user.made', userId, { level: access, awaiting: awaiting ?? null })) satisfies Drafting<UserData<'UserRegistered'>>,
    UserEnabled: (({ userId }) => account('user.enabled', userId)) satisfies Drafting<UserData<'UserEnabled'>>,
    UserDisabled: (({ userId }) => account('user.disabled', userId)) satisfies Drafting<UserData<'UserDisabled'>>,
    UserAccessChanged: (({ userId, access }) => account('user.level_changed', userId, { level: access })) satisfies Drafting<
      UserData<'UserAccessChanged'>
    >,
    UserDeleted: (({ userId }) => account('user.deleted', userId)) satisfies Drafting<UserData<'UserDeleted'>>,
  },
};

/** Shouts are for everybody who sees what they are about; their texts are read from the API. A shout's public id is its event's position. */
const shouted: Drafting<ShoutData<'ShoutMade'>> = ({ userId, kind, objectId }, { position }) => [
  {
    type: 'shout.made',
    object: { kind: 'shout', id: position },
    actor: byUser(userId),
    data: { about: { type: kind, id: String(objectId) } },
    audience: { owners: [userId], others: { are: 'everybody' }, about: { kind, id: objectId } },
  },
];

/** Public forms of comments on things. */
export const shoutFamily: DraftFamily = { aggregate: 'shouts', types: ['shout.made'], drafts: { ShoutMade: shouted } };
