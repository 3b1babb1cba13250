import { reservation } from '@continuo/chassis';
import { Rejection, externalIdentityReleased, externalIdentityReserved } from '@continuo/contracts';

/** Keeps an identity with one account: the log refuses a second reservation of the same digest. */
export const externalIdentity = reservation({
  context: 'identity',
  kind: 'external-identity',
  holder: 'userId',
  reserved: externalIdentityReserved,
  released: externalIdentityReleased,
  taken: () => new Rejection('user.identity-taken', undefined, 'identity'),
});
