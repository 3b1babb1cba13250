import { hasScope, Rejection, type AccessLevel, type KeyScope } from '@continuo/contracts';
import type { Caller } from './auth.js';
import { requireScope } from './require-level.js';

/** Highest level that a key with a list of scopes has in the APIs of players. */
export const PLAYER_LEVEL = 25;

/**
 * The caller as the APIs of players see it. A key with a list of scopes has the rights of a user there at most: those APIs administer accounts, too, and
 * whoever may do that gets around every scope.
 * @throws Rejection `access.scope` for a key without `listen`
 */
export const playerCaller = (caller: Caller): Caller => {
  requireScope(caller, 'listen');
  if (caller.scopes === undefined) return caller;
  return { ...caller, account: { ...caller.account, access: Math.min(caller.account.access, PLAYER_LEVEL) as AccessLevel } };
};

/** True for a key that opens the APIs of players. */
export const mayListen = ({ scopes }: Pick<Caller, 'scopes'>): boolean => hasScope(scopes, 'listen');

/** The caller as an API sees it that asks for a scope. @throws Rejection `access.scope` */
export const scopedCaller = (caller: Caller, scope: KeyScope): Caller => {
  if (scope === 'listen') return playerCaller(caller);
  requireScope(caller, scope);
  return caller;
};

/**
 * Lets only callers pass who may see and change credentials of their account: a key with a list of scopes could make itself one without.
 * @throws Rejection `access.scope`
 */
export const requireEveryScope = ({ scopes }: Pick<Caller, 'scopes'>): void => {
  if (scopes !== undefined) throw new Rejection('access.scope', 'a key with a list of scopes cannot see or change credentials', 'account');
};
