import type { Aggregate } from '@continuo/chassis';
import { Rejection, userNameReleased, userNameReserved, type UserId, type UserNameEvent } from '@continuo/contracts';

/** Commands of one user name; `nameDigest` is also the aggregate's id. */
export interface UserNameCommand {
  readonly type: 'reserve' | 'release';
  readonly userId: UserId;
  readonly nameDigest: string;
}

/** Holder of the name. */
export interface UserNameState {
  readonly holder: UserId | null;
}

const decide = ({ holder }: UserNameState, { type, userId, nameDigest }: UserNameCommand): readonly UserNameEvent[] => {
  if (type === 'release') return holder === userId ? [userNameReleased({ userId, nameDigest })] : [];
  if (holder === userId) return [];
  if (holder !== null) throw new Rejection('user.name-taken', undefined, 'username');
  return [userNameReserved({ userId, nameDigest })];
};

const evolve = (state: UserNameState, event: UserNameEvent): UserNameState => {
  switch (event.type) {
    case 'UserNameReserved':
      return { holder: event.data.userId };
    case 'UserNameReleased':
      return { holder: null };
    default:
      return state;
  }
};

/** Keeps a user name with one account: the log refuses a second reservation of the same digest. */
export const userName: Aggregate<UserNameState, UserNameCommand, UserNameEvent> = {
  context: 'identity',
  kind: 'user-name',
  initialState: { holder: null },
  decide,
  evolve,
};
