import { reservation } from '@continuo/chassis';
import { Rejection, userNameReleased, userNameReserved } from '@continuo/contracts';

/** Keeps a user name with one account: the log refuses a second reservation of the same digest. */
export const userName = reservation({
  context: 'identity',
  kind: 'user-name',
  holder: 'userId',
  reserved: userNameReserved,
  released: userNameReleased,
  taken: () => new Rejection('user.name-taken', undefined, 'username'),
});
