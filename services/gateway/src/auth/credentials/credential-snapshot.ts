import { sha256Hex } from '@continuo/chassis';
import {
  usernameKey,
  type AccessLevel,
  type AccessRuleTable,
  type ApiKeyTable,
  type ExternalIdentityTable,
  type KeyScope,
  type UserId,
  type UserTable,
} from '@continuo/contracts';
import { accessRules, type AccessQuestion } from '../access-rules.js';
import type { Account } from '../auth.js';
import { catalogVisibility, type CatalogGroupRows } from '../catalog-visibility.js';

/** An account with its sealed secrets; stays inside this folder. */
export interface StoredAccount {
  readonly account: Account;
  readonly sealedPasswordSha256: string | null;
  /** Argon2id of the SHA-256 of the login password; what the web page checks. */
  readonly sealedPasswordArgon2id: string | null;
  readonly sealedCompatPassword: string | null;
  readonly sealedStreamToken: string | null;
  /** Sessions that a password opened before then are over; epoch milliseconds. */
  readonly passwordSetAtMs: number | null;
  /** Keys that have not expired. */
  readonly keys: readonly StoredKey[];
}

/** An API key of an account. */
export interface StoredKey {
  readonly keyId: string;
  readonly userId: UserId;
  /** Lower-case hex SHA-256 of the key's text. */
  readonly sha256: string;
  readonly sealedKey: string;
  /** Absent: every scope. */
  readonly scopes?: readonly KeyScope[];
  /** From then on it opens nothing, epoch milliseconds; absent: it does not expire. */
  readonly expiresAtMs?: number;
}

/** The rows that a snapshot is made of. */
export interface CredentialRows {
  readonly users: readonly UserTable[];
  readonly apiKeys: readonly ApiKeyTable[];
  readonly accessRules: readonly AccessRuleTable[];
  readonly identities?: readonly ExternalIdentityTable[];
  readonly catalogGroups: CatalogGroupRows;
}

/** Accounts, keys and access rules at one moment, indexed for the questions of a login. */
export interface CredentialSnapshot {
  readonly userById: (id: UserId) => StoredAccount | undefined;
  readonly userByName: (name: string) => StoredAccount | undefined;
  /** The key with this text. */
  readonly keyByText: (text: string) => StoredKey | undefined;
  /** The key whose `SHA256(user + SHA256(key))` this is, of any account. */
  readonly keyByUserHash: (hash: string) => StoredKey | undefined;
  /** Returns the account of a stream token. */
  readonly userByStreamToken: (token: string) => StoredAccount | undefined;
  /** Returns the account linked to an identity at a provider. */
  readonly userByIdentity: (identityDigest: string) => StoredAccount | undefined;
  readonly admits: (question: AccessQuestion) => boolean;
}

/** `SHA256(user + SHA256(key))` in lower-case hex (service description part 5.1). */
export const userHash = (username: string, keySha256: string): string => sha256Hex(username + keySha256);

const accountOf = (row: UserTable, catalogs: Account['catalogs']): Account => ({
  id: row.id as UserId,
  username: row.username,
  access: row.access as AccessLevel,
  fullName: row.full_name,
  fullNamePublic: row.full_name_public,
  email: row.email,
  disabled: row.disabled,
  maxBitrateBps: row.max_bitrate_bps,
  catalogs,
});

type IsLive = (key: StoredKey) => boolean;

const storedOf = (row: UserTable, account: Account, keys: readonly StoredKey[], isLive: IsLive): StoredAccount => ({
  account,
  // A snapshot is used for as long as nothing changes, and keys expire meanwhile.
  get keys() {
    return keys.every(isLive) ? keys : keys.filter(isLive);
  },
  sealedPasswordSha256: row.sealed_password_sha256,
  sealedPasswordArgon2id: row.sealed_password_argon2id,
  sealedCompatPassword: row.sealed_compat_password,
  sealedStreamToken: row.sealed_stream_token,
  passwordSetAtMs: row.password_set_at_ms,
});

const keyOf = (row: ApiKeyTable): StoredKey => ({
  keyId: row.key_id,
  userId: row.user_id as UserId,
  sha256: row.sha256,
  sealedKey: row.sealed_key,
  ...(row.scopes ? { scopes: row.scopes as readonly KeyScope[] } : {}),
  ...(row.expires_at_ms === null ? {} : { expiresAtMs: row.expires_at_ms }),
});

const firstWins = <V>(map: Map<string, V>, key: string, value: V): void => {
  if (!map.has(key)) map.set(key, value);
};

/**
 * Indexes the rows, which come ordered by age: should two accounts ever claim one name or key, the older has it. Secrets are indexed by a
 * digest of theirs, so that how long a lookup takes says nothing about them.
 * @param now epoch milliseconds, for keys that expire
 */
export const credentialSnapshot = (rows: CredentialRows, now: () => number): CredentialSnapshot => {
  const isLive: IsLive = ({ expiresAtMs }) => expiresAtMs === undefined || now() < expiresAtMs;
  const live = (key: StoredKey | undefined): StoredKey | undefined => (key && isLive(key) ? key : undefined);
  const keysOf = Map.groupBy(rows.apiKeys.map(keyOf), (key) => key.userId);
  const catalogsOf = catalogVisibility(rows.catalogGroups);
  const byId = new Map<UserId, StoredAccount>();
  const byName = new Map<string, StoredAccount>();
  const byText = new Map<string, StoredKey>();
  const byUserHash = new Map<string, StoredKey>();
  const byStreamToken = new Map<string, StoredAccount>();
  for (const row of rows.users) {
    const account = accountOf(row, catalogsOf(row.id));
    const keys = keysOf.get(account.id) ?? [];
    const stored = storedOf(row, account, keys, isLive);
    byId.set(account.id, stored);
    firstWins(byName, row.username_key, stored);
    if (row.stream_token_sha256 !== null) firstWins(byStreamToken, row.stream_token_sha256, stored);
    for (const key of keys) firstWins(byText, key.sha256, key);
    for (const key of keys) firstWins(byUserHash, sha256Hex(userHash(account.username, key.sha256)), key);
  }
  const byIdentity = new Map((rows.identities ?? []).map((row) => [row.identity_digest, byId.get(row.user_id as UserId)]));
  return {
    userByIdentity: (digest) => byIdentity.get(digest),
    userById: (id) => byId.get(id),
    userByName: (name) => byName.get(usernameKey(name)),
    keyByText: (text) => live(byText.get(sha256Hex(text))),
    keyByUserHash: (hash) => live(byUserHash.get(sha256Hex(hash.toLowerCase()))),
    userByStreamToken: (token) => byStreamToken.get(sha256Hex(token)),
    admits: accessRules(rows.accessRules),
  };
};
