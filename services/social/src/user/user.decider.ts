import type { Aggregate } from '@continuo/chassis';
import {
  apiKeyIssued,
  apiKeyRenamed,
  apiKeyRevoked,
  compatPasswordSet,
  emailConfirmationRequested,
  emailConfirmed,
  externalIdentityLinked,
  externalIdentityUnlinked,
  passwordResetRequested,
  Rejection,
  streamTokenIssued,
  userAccessChanged,
  userAvatarSet,
  userBitrateLimited,
  userDeleted,
  userDisabled,
  userEnabled,
  userPasswordSet,
  userProfileChanged,
  userRegistered,
  type UserEvent,
  type UserId,
} from '@continuo/contracts';
import { evolve, initialState, type UserState } from './user-state.js';
import type { ChangeCommand, MailedToken, RegisterCommand, UserCommand } from './user-commands.js';

const register = (state: UserState, command: RegisterCommand): UserEvent[] => {
  // The id was allotted twice: the caller takes the next one.
  if (state.status !== 'none') throw new Rejection('conflict', `account ${command.userId} exists`);
  const { userId, sealedProfile, access, fullNamePublic, awaiting, password, sealedCompatPassword, apiKey, confirmation, identity } =
    command;
  return [
    userRegistered({ userId, sealedProfile, access, fullNamePublic, ...(awaiting ? { awaiting } : {}) }),
    ...(command.disabled || awaiting ? [userDisabled({ userId })] : []),
    ...(password ? [userPasswordSet({ userId, ...password })] : []),
    ...(sealedCompatPassword ? [compatPasswordSet({ userId, sealedPassword: sealedCompatPassword })] : []),
    ...(apiKey ? [apiKeyIssued({ userId, ...apiKey })] : []),
    ...(identity ? [externalIdentityLinked({ userId, ...identity })] : []),
    ...(confirmation ? [emailConfirmationRequested({ userId, ...confirmation })] : []),
  ];
};

const keyOf = (state: UserState, keyId: string): UserState['apiKeys'][string] => {
  const key = Object.hasOwn(state.apiKeys, keyId) ? state.apiKeys[keyId] : undefined;
  if (key === undefined) throw new Rejection('input.invalid', `no such API key: ${keyId}`, 'keyId');
  return key;
};

const issue = (state: UserState, { userId, apiKey, most }: Extract<UserCommand, { type: 'issue-api-key' }>): UserEvent[] => {
  if (Object.hasOwn(state.apiKeys, apiKey.keyId)) return [];
  const live = Object.values(state.apiKeys).filter((key) => key.live).length;
  if (most !== undefined && live >= most) throw new Rejection('account.full', `An account may have at most ${most} API keys`, 'account');
  return [apiKeyIssued({ userId, ...apiKey })];
};

const revoke = (state: UserState, userId: UserId, keyId: string): UserEvent[] =>
  keyOf(state, keyId).live ? [apiKeyRevoked({ userId, keyId })] : [];

const rename = (state: UserState, { userId, keyId, name }: Extract<UserCommand, { type: 'rename-api-key' }>): UserEvent[] => {
  const key = keyOf(state, keyId);
  if (!key.live) throw new Rejection('input.invalid', `no such API key: ${keyId}`, 'keyId');
  return key.name === name ? [] : [apiKeyRenamed({ userId, keyId, name })];
};

/** The API makes one key at a time, which is called `default`; those that an administrator has named stay. */
const replaceApiKey = (state: UserState, { userId, apiKey }: ChangeCommand): UserEvent[] => {
  if (!apiKey) return [];
  const replaced = Object.entries(state.apiKeys).filter(([, key]) => key.live && key.name === apiKey.name);
  return [...replaced.map(([keyId]) => apiKeyRevoked({ userId, keyId })), apiKeyIssued({ userId, ...apiKey })];
};

const change = (state: UserState, command: ChangeCommand): UserEvent[] => {
  const { userId, profile, access, disabled, maxBitrateBps, password, sealedCompatPassword, streamToken } = command;
  return [
    ...(profile ? [userProfileChanged({ userId, ...profile })] : []),
    ...(access !== undefined && access !== state.access ? [userAccessChanged({ userId, access })] : []),
    ...(disabled === true && (!state.disabled || state.confirmation) ? [userDisabled({ userId })] : []),
    ...(disabled === false && state.disabled ? [userEnabled({ userId })] : []),
    ...(maxBitrateBps !== undefined && maxBitrateBps !== state.maxBitrateBps ? [userBitrateLimited({ userId, maxBitrateBps })] : []),
    ...(password ? [userPasswordSet({ userId, ...password })] : []),
    ...(sealedCompatPassword === undefined ? [] : [compatPasswordSet({ userId, sealedPassword: sealedCompatPassword })]),
    ...replaceApiKey(state, command),
    ...(streamToken ? [streamTokenIssued({ userId, ...streamToken })] : []),
  ];
};

const isGood = (token: MailedToken | null, tokenSha256: string, nowMs: number): boolean =>
  token !== null && token.tokenSha256 === tokenSha256 && nowMs < token.expiresAtMs;

const confirm = (state: UserState, command: Extract<UserCommand, { type: 'confirm-email' }>): UserEvent[] => {
  const { userId, tokenSha256, nowMs, awaitsApproval } = command;
  if (!isGood(state.confirmation, tokenSha256, nowMs))
    throw new Rejection('input.invalid', 'the token is unknown, used or too old', 'token');
  const confirmed = emailConfirmed({ userId, awaitsApproval });
  return awaitsApproval || !state.disabled ? [confirmed] : [confirmed, userEnabled({ userId })];
};

/** A request that came a moment ago is answered by its mail: nobody's box is filled by asking again and again. */
const requestReset = (state: UserState, command: Extract<UserCommand, { type: 'request-reset' }>): UserEvent[] => {
  const { userId, nowMs, token, pauseMs } = command;
  if (state.disabled || (state.resetRequestedAtMs !== null && nowMs - state.resetRequestedAtMs < pauseMs)) return [];
  return [passwordResetRequested({ userId, ...token, requestedAtMs: nowMs })];
};

const reset = (state: UserState, command: Extract<UserCommand, { type: 'reset-password' }>): UserEvent[] => {
  const { userId, tokenSha256, nowMs, password } = command;
  if (state.disabled || !isGood(state.reset, tokenSha256, nowMs)) {
    throw new Rejection('input.invalid', 'the token is unknown, used or too old', 'token');
  }
  return [userPasswordSet({ userId, ...password })];
};

const decide = (state: UserState, command: UserCommand): readonly UserEvent[] => {
  if (command.type === 'register') return register(state, command);
  if (command.type === 'delete' && state.status === 'deleted') return [];
  if (state.status !== 'present') throw new Rejection('user.not-found', undefined, 'user');
  // The caller has read the account, and somebody else has changed it since.
  if (command.revision !== undefined && command.revision !== state.revision) throw new Rejection('conflict');
  const { userId } = command;
  switch (command.type) {
    case 'change':
      return change(state, command);
    case 'delete':
      return [userDeleted({ userId })];
    case 'issue-api-key':
      return issue(state, command);
    case 'revoke-api-key':
      return revoke(state, userId, command.keyId);
    case 'rename-api-key':
      return rename(state, command);
    case 'link-identity':
      return state.identities.includes(command.identity.identityDigest) ? [] : [externalIdentityLinked({ userId, ...command.identity })];
    case 'unlink-identity': {
      const { identityDigest } = command;
      return state.identities.includes(identityDigest) ? [externalIdentityUnlinked({ userId, identityDigest })] : [];
    }
    case 'set-avatar':
      return command.artHash === state.avatarHash ? [] : [userAvatarSet({ userId, artHash: command.artHash })];
    case 'confirm-email':
      return confirm(state, command);
    case 'request-reset':
      return requestReset(state, command);
    case 'reset-password':
      return reset(state, command);
    default:
      return command satisfies never;
  }
};

/** One account: whether it exists, may log in, and which credentials it has had. */
export const user: Aggregate<UserState, UserCommand, UserEvent> = {
  context: 'identity',
  kind: 'user',
  snapshotVersion: 3,
  initialState,
  decide,
  evolve,
};
