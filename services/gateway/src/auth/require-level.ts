import { hasScope, Rejection, type AccessLevel, type KeyScope } from '@continuo/contracts';
import type { Caller } from './auth.js';

/**
 * Lets only accounts of at least this level pass.
 * @throws Rejection `access.level` with the text `Require: <level>`
 */
export const requireLevel = (caller: Pick<Caller, 'account'>, level: AccessLevel): void => {
  if (caller.account.access < level) throw new Rejection('access.level', `Require: ${level}`, 'account');
};

/**
 * Lets only callers pass whose key has a scope; what is proven by something else than a key has them all.
 * @throws Rejection `access.scope`
 */
export const requireScope = (caller: Pick<Caller, 'scopes'>, scope: KeyScope): void => {
  if (!hasScope(caller.scopes, scope)) throw new Rejection('access.scope', `Require: scope ${scope}`, 'account');
};
