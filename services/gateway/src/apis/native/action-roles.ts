import type { AccessLevel, AccountRole } from '@continuo/contracts';
import { requireLevel, type Caller } from '../../auth/index.js';
import { isRoleGiven, requireRole, type PreferenceSnapshot } from '../../preferences/index.js';

/**
 * Actions by the role that administrators give or take. Sharing, uploads, downloads and localplay check the same preferences with errors of
 * their own.
 */
const actionRoles: Readonly<Record<string, AccountRole>> = {
  stream: 'stream',
  random: 'stream',
  playlist_create: 'playlist',
  playlist_edit: 'playlist',
  playlist_delete: 'playlist',
  playlist_add: 'playlist',
  playlist_add_song: 'playlist',
  playlist_remove: 'playlist',
  playlist_remove_song: 'playlist',
  playlist_folder_create: 'playlist',
  playlist_folder_edit: 'playlist',
  playlist_folder_delete: 'playlist',
  playlist_folder_add: 'playlist',
  playlist_folder_remove: 'playlist',
  smartlist_create: 'playlist',
  smartlist_delete: 'playlist',
  smartlist_edit: 'playlist',
  podcast_create: 'podcast',
  podcast_edit: 'podcast',
  podcast_delete: 'podcast',
  podcast_update: 'podcast',
  update_podcast: 'podcast',
  podcast_episode_delete: 'podcast',
  update_art: 'coverArt',
  preference_edit: 'settings',
};

/** Role of an action; undefined when it needs none. */
export const roleOfAction = (action: string): AccountRole | undefined =>
  Object.hasOwn(actionRoles, action) ? actionRoles[action] : undefined;

/**
 * Requires the access level, or the role given in its place.
 * @throws Rejection `access.level`
 */
export const requireLevelOrRole = (
  preferences: PreferenceSnapshot,
  caller: Pick<Caller, 'account'>,
  { access, role }: { readonly access: AccessLevel; readonly role: AccountRole | undefined },
): void => {
  if (role !== undefined && isRoleGiven(preferences, caller.account, role)) return;
  requireLevel(caller, access);
};

/** Rejects an action whose role was taken from the caller. @throws Rejection `access.denied` */
export const requireActionRole = (
  preferences: PreferenceSnapshot,
  caller: Pick<Caller, 'account'>,
  role: AccountRole | undefined,
): void => {
  if (role !== undefined) requireRole(preferences, caller.account.id, role);
};
