import type { AccountRole } from '@continuo/contracts';
import { isRoleGiven, isRoleTaken, type PreferenceSnapshot } from '../../preferences/index.js';
import { localplayAvailability } from '../../features/localplay/availability.js';
import { uploadAvailability } from '../../features/upload/upload-availability.js';
import type { HasConfig } from '../../server/needs.js';

/** Roles of an account, by which clients hide features. */
export type Roles = Readonly<Record<AccountRole | 'admin', boolean>>;

export type Role = keyof Roles;

const USER = 25;
const CATALOG_MANAGER = 75;
const ADMINISTRATOR = 100;

/** Sources of roles beside the account. */
export interface RoleSources {
  readonly preferences: PreferenceSnapshot;
  readonly services: HasConfig;
}

/**
 * Roles of an account by its level, unless administrators gave or took one. Roles of disabled features are off. The video conversion flag is
 * on only where it was given.
 */
export const rolesOf = (
  { preferences, services: { config } }: RoleSources,
  account: { readonly id: number; readonly access: number; readonly disabled: boolean },
): Roles => {
  const active = !account.disabled && account.access >= USER;
  const may = (role: AccountRole): boolean => active && !isRoleTaken(preferences, account.id, role);
  const mayFrom = (level: number, role: AccountRole): boolean =>
    may(role) && (account.access >= level || isRoleGiven(preferences, account, role));
  return {
    admin: active && account.access >= ADMINISTRATOR,
    settings: may('settings'),
    stream: may('stream'),
    jukebox: active && localplayAvailability(preferences, account).kind === 'open',
    download: may('download'),
    upload: active && uploadAvailability(preferences, account).kind === 'open',
    playlist: may('playlist'),
    coverArt: mayFrom(CATALOG_MANAGER, 'coverArt'),
    comment: may('comment') && config.SOCIABLE,
    podcast: mayFrom(CATALOG_MANAGER, 'podcast') && config.PODCAST,
    share: may('share') && config.SHARE,
    videoConversion: active && isRoleGiven(preferences, account, 'videoConversion'),
  };
};
