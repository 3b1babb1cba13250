import type { Aggregate } from '@continuo/chassis';
import {
  externalIdentityReleased,
  externalIdentityReserved,
  Rejection,
  type ExternalIdentityEvent,
  type UserId,
} from '@continuo/contracts';

/** Commands of one identity at a provider; `identityDigest` is also the aggregate's id. */
export interface ExternalIdentityCommand {
  readonly type: 'reserve' | 'release';
  readonly userId: UserId;
  readonly identityDigest: string;
}

/** Account that it opens. */
export interface ExternalIdentityState {
  readonly holder: UserId | null;
}

const decide = (
  { holder }: ExternalIdentityState,
  { type, userId, identityDigest }: ExternalIdentityCommand,
): readonly ExternalIdentityEvent[] => {
  if (type === 'release') return holder === userId ? [externalIdentityReleased({ userId, identityDigest })] : [];
  if (holder === userId) return [];
  if (holder !== null) throw new Rejection('user.identity-taken', undefined, 'identity');
  return [externalIdentityReserved({ userId, identityDigest })];
};

const evolve = (state: ExternalIdentityState, event: ExternalIdentityEvent): ExternalIdentityState => {
  switch (event.type) {
    case 'ExternalIdentityReserved':
      return { holder: event.data.userId };
    case 'ExternalIdentityReleased':
      return { holder: null };
    default:
      return state;
  }
};

/** Keeps an identity with one account: the log refuses a second reservation of the same digest. */
export const externalIdentity: Aggregate<ExternalIdentityState, ExternalIdentityCommand, ExternalIdentityEvent> = {
  context: 'identity',
  kind: 'external-identity',
  initialState: { holder: null },
  decide,
  evolve,
};
