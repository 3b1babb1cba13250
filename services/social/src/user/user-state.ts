import type { AccessLevel, UserEvent } from '@continuo/contracts';
import type { MailedToken } from './user-commands.js';

/** State of an account. */
export interface UserState {
  readonly status: 'none' | 'present' | 'deleted';
  /** Number of events; shows whether somebody else has changed the account. */
  readonly revision: number;
  readonly sealedProfile: string;
  readonly fullNamePublic: boolean;
  readonly access: AccessLevel;
  readonly disabled: boolean;
  readonly maxBitrateBps: number | null;
  readonly avatarHash: string | null;
  readonly apiKeys: Readonly<Record<string, { readonly name: string; readonly live: boolean }>>;
  /** Identities by which it can be logged in to, as digests. */
  readonly identities: readonly string[];
  readonly confirmation: MailedToken | null;
  readonly reset: MailedToken | null;
  readonly resetRequestedAtMs: number | null;
}

/** An account before its first event. */
export const initialState: UserState = {
  status: 'none',
  revision: 0,
  sealedProfile: '',
  fullNamePublic: false,
  access: 5,
  disabled: false,
  maxBitrateBps: null,
  avatarHash: null,
  apiKeys: {},
  identities: [],
  confirmation: null,
  reset: null,
  resetRequestedAtMs: null,
};

const keyChanged = (state: UserState, keyId: string, key: { readonly name: string; readonly live: boolean }): Partial<UserState> => ({
  apiKeys: { ...state.apiKeys, [keyId]: key },
});

const mailed = ({ tokenSha256, sealedToken, expiresAtMs }: MailedToken): MailedToken => ({ tokenSha256, sealedToken, expiresAtMs });

const changed = (state: UserState, event: UserEvent): Partial<UserState> => {
  switch (event.type) {
    case 'UserRegistered': {
      const { sealedProfile, access, fullNamePublic } = event.data;
      return { status: 'present', sealedProfile, access, fullNamePublic };
    }
    case 'UserProfileChanged':
      return { sealedProfile: event.data.sealedProfile, fullNamePublic: event.data.fullNamePublic };
    case 'UserAccessChanged':
      return { access: event.data.access };
    case 'UserDisabled':
    case 'UserEnabled':
      // An administrator has decided: no mail that is under way decides otherwise.
      return { disabled: event.type === 'UserDisabled', confirmation: null };
    case 'UserBitrateLimited':
      return { maxBitrateBps: event.data.maxBitrateBps };
    case 'UserAvatarSet':
      return { avatarHash: event.data.artHash };
    case 'ApiKeyIssued':
      return keyChanged(state, event.data.keyId, { name: event.data.name, live: true });
    case 'ApiKeyRevoked':
      return keyChanged(state, event.data.keyId, { name: state.apiKeys[event.data.keyId]?.name ?? '', live: false });
    case 'ApiKeyRenamed':
      return keyChanged(state, event.data.keyId, { name: event.data.name, live: state.apiKeys[event.data.keyId]?.live ?? false });
    case 'ExternalIdentityLinked':
      return { identities: [...state.identities, event.data.identityDigest] };
    case 'ExternalIdentityUnlinked':
      return { identities: state.identities.filter((digest) => digest !== event.data.identityDigest) };
    case 'EmailConfirmationRequested':
      return { confirmation: mailed(event.data) };
    case 'EmailConfirmed':
      return { confirmation: null };
    case 'PasswordResetRequested':
      return { reset: mailed(event.data), resetRequestedAtMs: event.data.requestedAtMs };
    case 'UserPasswordSet':
      // Whoever sets a password makes the mails that are under way worthless.
      return { reset: null };
    case 'UserDeleted':
      return { ...initialState, status: 'deleted' };
    case 'CompatPasswordSet':
    case 'StreamTokenIssued':
      return {};
    default:
      // An event of a later release.
      return {};
  }
};

/** Folds an event into the state. */
export const evolve = (state: UserState, event: UserEvent): UserState => ({
  ...state,
  ...changed(state, event),
  revision: state.revision + 1,
});
