import type { Aggregate } from '@continuo/chassis';
import { Rejection, userFollowed, userUnfollowed, type FollowEvent, type UserId } from '@continuo/contracts';

/** Follows an account that is not followed yet, or stops following it. */
export interface FollowCommand {
  readonly type: 'toggle';
  readonly userId: UserId;
  readonly followedId: UserId;
}

/** Accounts that a user follows, in the order in which they began. */
export interface FollowsState {
  readonly followedIds: readonly number[];
}

/** Following more than this would make every page of a timeline a walk through everybody. */
export const MAX_FOLLOWED = 1000;

const decide = ({ followedIds }: FollowsState, { userId, followedId }: FollowCommand): readonly FollowEvent[] => {
  if (userId === followedId) throw new Rejection('input.invalid', 'nobody can follow themself', 'user');
  if (followedIds.includes(followedId)) return [userUnfollowed({ userId, followedId })];
  if (followedIds.length >= MAX_FOLLOWED)
    throw new Rejection('input.invalid', `nobody can follow more than ${MAX_FOLLOWED} accounts`, 'user');
  return [userFollowed({ userId, followedId })];
};

const evolve = (state: FollowsState, event: FollowEvent): FollowsState => {
  switch (event.type) {
    case 'UserFollowed':
      return { followedIds: [...state.followedIds, event.data.followedId] };
    case 'UserUnfollowed':
      return { followedIds: state.followedIds.filter((id) => id !== event.data.followedId) };
    default:
      return state;
  }
};

/** Users followed by one user; the id is the follower's. */
export const follows: Aggregate<FollowsState, FollowCommand, FollowEvent> = {
  context: 'social',
  kind: 'follows',
  initialState: { followedIds: [] },
  decide,
  evolve,
};
