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

/** The roles of an account (compat facts, section 8.10); `allows` says what its preferences allow. Those of features that this server does not have are off. */
export const rolesOf = (
  account: { readonly access: number; readonly disabled: boolean },
  allows: (feature: 'download') => boolean = () => true,
): Roles => {
  const active = !account.disabled && account.access >= USER;
  return {
    admin: active && account.access >= ADMINISTRATOR,
    settings: active,
    stream: active,
    jukebox: false,
    download: active && allows('download'),
    upload: false,
    playlist: active,
    coverArt: active && account.access >= CATALOG_MANAGER,
    comment: false,
    podcast: false,
    share: false,
    videoConversion: false,
  };
};
