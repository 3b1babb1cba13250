import { reservation } from '@continuo/chassis';
import { Rejection, userEmailReleased, userEmailReserved } from '@continuo/contracts';

/** Keeps a mail address with one account: the log refuses a second reservation of the same digest. */
export const userEmail = reservation({
  context: 'identity',
  kind: 'user-email',
  holder: 'userId',
  reserved: userEmailReserved,
  released: userEmailReleased,
  taken: () => new Rejection('user.email-taken', undefined, 'email'),
});
