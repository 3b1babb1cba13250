import type { BuiltInPreference } from '@continuo/contracts';
import type { Viewer } from '../reads/viewer.js';
import type { PreferenceSnapshot } from './preference-snapshot.js';

/** Switches by which accounts say what others may see of them. */
export type PrivacySwitch = Extract<BuiltInPreference, `allow_personal_info_${string}`>;

/** What somebody is shown of the doings of accounts: their own, and those of others who let them. */
export const allowedTo = <T extends { readonly userId: number }>(
  preferences: PreferenceSnapshot,
  viewer: Pick<Viewer, 'userId'>,
  allowed: PrivacySwitch,
  doings: readonly T[],
): T[] => doings.filter(({ userId }) => userId === viewer.userId || preferences.isOn(userId, allowed));
