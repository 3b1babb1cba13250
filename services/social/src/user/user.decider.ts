import type { Aggregate } from '@continuo/chassis';
import {
  apiKeyIssued,
  apiKeyRevoked,
  compatPasswordSet,
  Rejection,
  userDisabled,
  userEnabled,
  userPasswordSet,
  userRegistered,
  type AccessLevel,
  type UserEvent,
  type UserId,
} from '@continuo/contracts';

/** A login password as the log keeps it. */
export interface SealedPassword {
  readonly sealedSha256: string;
  readonly sealedArgon2id: string;
}

/** An API key as the log keeps it. */
export interface SealedApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly sha256: string;
  readonly sealedKey: string;
  readonly issuedAtMs: number;
}

/** What the user aggregate is asked. Secrets arrive sealed and hashed: deciding needs no key. */
export type UserCommand =
  | {
      readonly type: 'register';
      readonly userId: UserId;
      readonly sealedProfile: string;
      readonly access: AccessLevel;
      readonly fullNamePublic: boolean;
      readonly password?: SealedPassword;
      readonly sealedCompatPassword?: string;
      readonly apiKey?: SealedApiKey;
    }
  | ({ readonly type: 'set-password'; readonly userId: UserId } & SealedPassword)
  | { readonly type: 'set-compat-password'; readonly userId: UserId; readonly sealedPassword: string }
  | { readonly type: 'issue-api-key'; readonly userId: UserId; readonly apiKey: SealedApiKey }
  | { readonly type: 'revoke-api-key'; readonly userId: UserId; readonly keyId: string }
  | { readonly type: 'disable'; readonly userId: UserId }
  | { readonly type: 'enable'; readonly userId: UserId };

/** What deciding needs to remember of an account. */
export interface UserState {
  readonly registered: boolean;
  readonly disabled: boolean;
  readonly apiKeys: Readonly<Record<string, 'live' | 'revoked'>>;
}

const initialState: UserState = { registered: false, disabled: false, apiKeys: {} };

const register = (state: UserState, command: Extract<UserCommand, { type: 'register' }>): UserEvent[] => {
  // The id was allotted twice: the caller takes the next one.
  if (state.registered) throw new Rejection('conflict', `account ${command.userId} exists`);
  const { userId, sealedProfile, access, fullNamePublic, password, sealedCompatPassword, apiKey } = command;
  return [
    userRegistered({ userId, sealedProfile, access, fullNamePublic }),
    ...(password ? [userPasswordSet({ userId, ...password })] : []),
    ...(sealedCompatPassword ? [compatPasswordSet({ userId, sealedPassword: sealedCompatPassword })] : []),
    ...(apiKey ? [apiKeyIssued({ userId, ...apiKey })] : []),
  ];
};

const revoke = (state: UserState, userId: UserId, keyId: string): UserEvent[] => {
  const key = Object.hasOwn(state.apiKeys, keyId) ? state.apiKeys[keyId] : undefined;
  if (key === undefined) throw new Rejection('input.invalid', `no such API key: ${keyId}`, 'keyId');
  return key === 'live' ? [apiKeyRevoked({ userId, keyId })] : [];
};

const decide = (state: UserState, command: UserCommand): readonly UserEvent[] => {
  if (command.type === 'register') return register(state, command);
  if (!state.registered) throw new Rejection('user.not-found', undefined, 'user');
  const { userId } = command;
  switch (command.type) {
    case 'set-password':
      return [userPasswordSet({ userId, sealedSha256: command.sealedSha256, sealedArgon2id: command.sealedArgon2id })];
    case 'set-compat-password':
      return [compatPasswordSet({ userId, sealedPassword: command.sealedPassword })];
    case 'issue-api-key':
      return Object.hasOwn(state.apiKeys, command.apiKey.keyId) ? [] : [apiKeyIssued({ userId, ...command.apiKey })];
    case 'revoke-api-key':
      return revoke(state, userId, command.keyId);
    case 'disable':
      return state.disabled ? [] : [userDisabled({ userId })];
    case 'enable':
      return state.disabled ? [userEnabled({ userId })] : [];
    default:
      return command satisfies never;
  }
};

const evolve = (state: UserState, event: UserEvent): UserState => {
  switch (event.type) {
    case 'UserRegistered':
      return { ...state, registered: true };
    case 'ApiKeyIssued':
      return { ...state, apiKeys: { ...state.apiKeys, [event.data.keyId]: 'live' } };
    case 'ApiKeyRevoked':
      return { ...state, apiKeys: { ...state.apiKeys, [event.data.keyId]: 'revoked' } };
    case 'UserDisabled':
      return { ...state, disabled: true };
    case 'UserEnabled':
      return { ...state, disabled: false };
    default:
      return state;
  }
};

/** One account: whether it exists, may log in, and which API keys it has had. */
export const user: Aggregate<UserState, UserCommand, UserEvent> = { context: 'identity', kind: 'user', initialState, decide, evolve };
