import type { BuiltInPreference } from '@continuo/contracts';
import type { Viewer } from '../reads/visibility/viewer.js';
import type { PreferenceSnapshot } from './preference-snapshot.js';

/** Switches that let others see activity of an account. */
export type PrivacySwitch = Extract<BuiltInPreference, `allow_personal_info_${string}`>;

/** Keeps rows of the viewer, and of accounts that allow others to see them. */
export const allowedTo = <T extends { readonly userId: number }>(
  preferences: PreferenceSnapshot,
  viewer: Pick<Viewer, 'userId'>,
  allowed: PrivacySwitch,
  doings: readonly T[],
): T[] => doings.filter(({ userId }) => userId === viewer.userId || preferences.isOn(userId, allowed));
