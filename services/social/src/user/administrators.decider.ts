import type { Aggregate } from '@continuo/chassis';
import { administratorDismissed, administratorNamed, Rejection, type AdministratorEvent, type UserId } from '@continuo/contracts';

/** There is one set of administrators. */
export const ADMINISTRATORS_ID = 'all';

/** Adds an administrator that may log in, or removes one. */
export interface AdministratorsCommand {
  readonly type: 'name' | 'dismiss';
  readonly userId: UserId;
  /** Administrators before this set was kept, from the read model. */
  readonly before: readonly UserId[];
}

/** The administrators who may log in; null before the first one was noted. */
export interface AdministratorsState {
  readonly ids: readonly UserId[] | null;
}

const decide = ({ ids }: AdministratorsState, { type, userId, before }: AdministratorsCommand): readonly AdministratorEvent[] => {
  const known = ids ?? before;
  const noted = ids === null ? before.map((one) => administratorNamed({ userId: one })) : [];
  if (type === 'name') return known.includes(userId) ? noted : [...noted, administratorNamed({ userId })];
  if (!known.includes(userId)) return [];
  if (known.length === 1) throw new Rejection('user.last-administrator');
  return [...noted, administratorDismissed({ userId })];
};

const evolve = ({ ids }: AdministratorsState, event: AdministratorEvent): AdministratorsState => {
  const others = (ids ?? []).filter((id) => id !== event.data.userId);
  switch (event.type) {
    case 'AdministratorNamed':
      return { ids: [...others, event.data.userId] };
    case 'AdministratorDismissed':
      return { ids: others };
    default:
      return { ids };
  }
};

/** Keeps one administrator who may log in: each change of level, state or existence of one is decided together with this set. */
export const administrators: Aggregate<AdministratorsState, AdministratorsCommand, AdministratorEvent> = {
  context: 'identity',
  kind: 'administrators',
  initialState: { ids: null },
  decide,
  evolve,
};
