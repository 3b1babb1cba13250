import type { AccessLevel } from '@continuo/contracts';
import { isRoleGiven, type PreferenceSnapshot } from '../../preferences/index.js';

/** Whether an account may upload. */
export type UploadAvailability =
  | { readonly kind: 'open'; readonly catalogId: number; readonly ownFolder: boolean }
  /** The preference that disables uploads. */
  | { readonly kind: 'off'; readonly preference: 'allow_upload' | 'upload_catalog' }
  /** Allowed from this access level on. */
  | { readonly kind: 'below'; readonly level: AccessLevel };

/** Evaluates the preferences `allow_upload`, `upload_catalog`, `upload_access_level` and `upload_subdir` for an account. */
export const uploadAvailability = (
  preferences: PreferenceSnapshot,
  { id, access }: { readonly id: number; readonly access: number },
): UploadAvailability => {
  if (!preferences.isOn(id, 'allow_upload')) return { kind: 'off', preference: 'allow_upload' };
  // The preference has no other values.
  const level = preferences.numberOf(id, 'upload_access_level') as AccessLevel;
  if (access < level && !isRoleGiven(preferences, { id, access }, 'upload')) return { kind: 'below', level };
  const catalogId = preferences.numberOf(id, 'upload_catalog');
  if (catalogId < 1) return { kind: 'off', preference: 'upload_catalog' };
  return { kind: 'open', catalogId, ownFolder: preferences.isOn(id, 'upload_subdir') };
};
