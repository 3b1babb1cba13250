import type { AccessLevel } from '@continuo/contracts';
import type { PreferenceSnapshot } from '../preferences/index.js';

/** How an account stands to uploading. */
export type UploadStanding =
  | { readonly kind: 'open'; readonly catalogId: number; readonly ownFolder: boolean }
  /** The preference that keeps it closed. */
  | { readonly kind: 'off'; readonly preference: 'allow_upload' | 'upload_catalog' }
  /** From this access level on it may. */
  | { readonly kind: 'below'; readonly level: AccessLevel };

/** What the preferences `allow_upload`, `upload_catalog`, `upload_access_level` and `upload_subdir` say of an account (native README section 13). */
export const uploadStanding = (
  preferences: PreferenceSnapshot,
  { id, access }: { readonly id: number; readonly access: number },
): UploadStanding => {
  if (!preferences.isOn(id, 'allow_upload')) return { kind: 'off', preference: 'allow_upload' };
  // The preference has no other words.
  const level = preferences.numberOf(id, 'upload_access_level') as AccessLevel;
  if (access < level) return { kind: 'below', level };
  const catalogId = preferences.numberOf(id, 'upload_catalog');
  if (catalogId < 1) return { kind: 'off', preference: 'upload_catalog' };
  return { kind: 'open', catalogId, ownFolder: preferences.isOn(id, 'upload_subdir') };
};
