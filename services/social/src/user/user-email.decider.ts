import type { Aggregate } from '@continuo/chassis';
import { Rejection, userEmailReleased, userEmailReserved, type UserEmailEvent, type UserId } from '@continuo/contracts';

/** Commands of one mail address; `emailDigest` is also the aggregate's id. */
export interface UserEmailCommand {
  readonly type: 'reserve' | 'release';
  readonly userId: UserId;
  readonly emailDigest: string;
}

/** Holder of the address. */
export interface UserEmailState {
  readonly holder: UserId | null;
}

const decide = ({ holder }: UserEmailState, { type, userId, emailDigest }: UserEmailCommand): readonly UserEmailEvent[] => {
  if (type === 'release') return holder === userId ? [userEmailReleased({ userId, emailDigest })] : [];
  if (holder === userId) return [];
  if (holder !== null) throw new Rejection('user.email-taken', undefined, 'email');
  return [userEmailReserved({ userId, emailDigest })];
};

const evolve = (state: UserEmailState, event: UserEmailEvent): UserEmailState => {
  switch (event.type) {
    case 'UserEmailReserved':
      return { holder: event.data.userId };
    case 'UserEmailReleased':
      return { holder: null };
    default:
      return state;
  }
};

/** Keeps a mail address with one account: the log refuses a second reservation of the same digest. */
export const userEmail: Aggregate<UserEmailState, UserEmailCommand, UserEmailEvent> = {
  context: 'identity',
  kind: 'user-email',
  initialState: { holder: null },
  decide,
  evolve,
};
