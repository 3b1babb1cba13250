import { Rejection, rolePreferences, type AccountRole } from '@continuo/contracts';
import type { PreferenceSnapshot } from './preference-snapshot.js';

const USER = 25;

/** True where the role is taken from the account, or by the server's default, whatever the access level. */
export const isRoleTaken = (preferences: Pick<PreferenceSnapshot, 'isOn'>, accountId: number, role: AccountRole): boolean =>
  !preferences.isOn(accountId, rolePreferences[role]);

/** True where the role is given to this account, also below the required access level. Guests have no roles. */
export const isRoleGiven = (
  preferences: Pick<PreferenceSnapshot, 'own'>,
  account: { readonly id: number; readonly access: number },
  role: AccountRole,
): boolean => account.access >= USER && preferences.own(account.id, rolePreferences[role]) === '1';

/** @throws Rejection `access.denied` when the role is taken */
export const requireRole = (preferences: Pick<PreferenceSnapshot, 'isOn'>, accountId: number, role: AccountRole): void => {
  if (isRoleTaken(preferences, accountId, role)) throw new Rejection('access.denied', `This account lacks the role ${role}`, 'account');
};
