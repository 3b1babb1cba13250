import type { PreferenceSnapshot } from '../preferences/index.js';
import type { GatewayServices } from '../services.js';
import { localplayStanding } from '../localplay/standing.js';
import { isSharing } from '../share/share-policy.js';
import { uploadStanding } from '../upload/upload-standing.js';

/** What an account may do, in the protocol's own words; clients hide features by these flags. */
export interface Roles {
  readonly admin: boolean;
  readonly settings: boolean;
  readonly stream: boolean;
  readonly jukebox: boolean;
  readonly download: boolean;
  readonly upload: boolean;
  readonly playlist: boolean;
  readonly coverArt: boolean;
  readonly comment: boolean;
  readonly podcast: boolean;
  readonly share: boolean;
  readonly videoConversion: boolean;
}

export type Role = keyof Roles;

const USER = 25;
const CATALOG_MANAGER = 75;
const ADMINISTRATOR = 100;

/** What an account's preferences or the server's switches may take away from it. */
export type RoleFeature = 'download' | 'share' | 'sociable' | 'jukebox' | 'upload' | 'podcast';

/** Tells which features are on for an account. */
export const featuresOf =
  (
    { preferences, services }: { readonly preferences: PreferenceSnapshot; readonly services: Pick<GatewayServices, 'config'> },
    account: { readonly id: number; readonly access: number },
  ): ((feature: RoleFeature) => boolean) =>
  (feature) => {
    if (feature === 'upload') return uploadStanding(preferences, account).kind === 'open';
    if (feature === 'podcast') return services.config.PODCAST;
    if (feature === 'sociable') return services.config.SOCIABLE;
    if (feature === 'jukebox') return localplayStanding(preferences, account).kind === 'open';
    return feature === 'share' ? isSharing(services, preferences, account.id) : preferences.isOn(account.id, feature);
  };

/** The roles of an account (compat facts, section 8.10); `allows` says what its preferences and the server allow. Those of features that this server does not have are off. */
export const rolesOf = (
  account: { readonly access: number; readonly disabled: boolean },
  allows: (feature: RoleFeature) => boolean = () => true,
): Roles => {
  const active = !account.disabled && account.access >= USER;
  return {
    admin: active && account.access >= ADMINISTRATOR,
    settings: active,
    stream: active,
    jukebox: active && allows('jukebox'),
    download: active && allows('download'),
    upload: active && allows('upload'),
    playlist: active,
    coverArt: active && account.access >= CATALOG_MANAGER,
    comment: active && allows('sociable'),
    podcast: active && account.access >= CATALOG_MANAGER && allows('podcast'),
    share: active && allows('share'),
    videoConversion: false,
  };
};
