import { Rejection, type AccessLevel } from '@continuo/contracts';
import type { Caller } from './auth.js';

/**
 * Lets only accounts of at least this level pass (native README section 5).
 * @throws Rejection `access.level` with the text `Require: <level>`
 */
export const requireLevel = (caller: Pick<Caller, 'account'>, level: AccessLevel): void => {
  if (caller.account.access < level) throw new Rejection('access.level', `Require: ${level}`, 'account');
};
