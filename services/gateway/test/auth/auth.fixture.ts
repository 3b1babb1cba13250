import { credentialSealer, operatorTokenCheck, sha256Hex } from '@continuo/chassis';
import { usernameKey, type AccessRuleTable, type ApiKeyTable, type UserTable } from '@continuo/contracts';
import pino from 'pino';
import type { Auth, AuthRequest, RequestParams } from '../../src/auth/auth.js';
import type { AuthSettings } from '../../src/auth/auth-settings.js';
import { authOver } from '../../src/auth/create-auth.js';
import { CredentialReader } from '../../src/auth/credentials/credential-reader.js';
import type { CredentialRows } from '../../src/auth/credentials/credential-snapshot.js';
import { inMemorySessions } from './in-memory-sessions.js';
import { loginThrottle, type FailureCount, type FailureCounters } from '../../src/auth/throttle/login-throttle.js';
import { inMemoryLastSeen } from '../fakes/in-memory-stores.js';
import { accessTokens } from '../../src/auth/credentials/access-token.js';
import { mediaTokens } from '../../src/auth/credentials/media-token.js';
import { playerUrls } from '../../src/auth/credentials/player-urls.js';
import { sessionTokens } from '../../src/auth/sessions/session-token.js';
import { unauthenticatedThrottle } from '../../src/auth/throttle/unauthenticated-throttle.js';
import type { SessionKey } from '../../src/auth/sessions/session-key.js';
import type { SessionRecord } from '../../src/auth/sessions/session-store.js';

/** The server secret of the specs. */
export const SECRET = 'a secret of at least thirty-two characters';
/** The sealer of the specs. */
export const sealer = credentialSealer(SECRET);
/** A moment, epoch milliseconds. */
export const NOON = 1_700_000_000_000;

/** A user row; `password` and `compat` are sealed as the projection would hold them. */
export const userRow = (
  row: Partial<UserTable> & { readonly id: number; readonly username: string },
  secrets: { readonly password?: string; readonly compat?: string } = {},
): UserTable => ({
  username_key: usernameKey(row.username),
  full_name: null,
  full_name_public: false,
  email: null,
  website: null,
  city: null,
  state: null,
  access: 25,
  disabled: false,
  created_at_ms: 1,
  sealed_password_sha256: secrets.password === undefined ? null : sealer.seal(sha256Hex(secrets.password)),
  sealed_password_argon2id: null,
  sealed_compat_password: secrets.compat === undefined ? null : sealer.seal(secrets.compat),
  password_set_at_ms: null,
  max_bitrate_bps: null,
  awaiting: null,
  stream_token_sha256: null,
  sealed_stream_token: null,
  avatar_hash: null,
  ...row,
});

/** An API key row. */
export const keyRow = (
  userId: number,
  key: string,
  keyId = `key${userId}`,
  terms: Partial<Pick<ApiKeyTable, 'scopes' | 'expires_at_ms'>> = {},
): ApiKeyTable => ({
  key_id: keyId,
  user_id: userId,
  name: 'default',
  sha256: sha256Hex(key),
  sealed_key: sealer.seal(key),
  issued_at_ms: 1,
  scopes: null,
  expires_at_ms: null,
  ...terms,
});

/** An access rule row: everybody, every IPv4 address, for the API, at level 75. */
export const ruleRow = (row: Partial<AccessRuleTable> = {}): AccessRuleTable => ({
  id: 1,
  name: 'rule',
  level: 75,
  user_id: null,
  type: 'rpc',
  start_address: '0.0.0.0',
  end_address: '255.255.255.255',
  enabled: true,
  ...row,
});

/** Counters of one process. */
export const inMemoryCounters = (now: () => number, windowMs: number, counts = new Map<string, FailureCount>()): FailureCounters => {
  const peek = (key: string): FailureCount | undefined => {
    const count = counts.get(key);
    return count && count.firstAtMs + windowMs > now() ? count : undefined;
  };
  return {
    peek,
    add: async (key) => {
      const count = peek(key);
      counts.set(key, count ? { ...count, count: count.count + 1 } : { firstAtMs: now(), count: 1 });
    },
  };
};

/** The settings of the specs. */
export const settings: AuthSettings = {
  SESSION_LENGTH_S: 3600,
  ACCESS_CONTROL: true,
  LOGIN_WINDOW_S: 300,
  LOGIN_FAILURES_PER_ACCOUNT: 10,
  LOGIN_FAILURES_PER_ADDRESS: 50,
  WEB_SESSION_MAX_HOURS: 168,
  STRANGER_CALLS_PER_ADDRESS: 10,
  COMPAT_TOKEN_LOGIN: true,
  COMPAT_PASSWORD_LOGIN: true,
  OPERATOR_SECRET: '',
  TRUSTED_PROXIES: [],
};

/** Accounts of the specs: ada (administrator, password, compatibility password, key), bob (key only), eve (disabled), cyd (password only). */
export const rows: CredentialRows = {
  users: [
    userRow({ id: 1, username: 'Ada', access: 100 }, { password: 'correct horse', compat: 'sesame' }),
    userRow({ id: 2, username: 'bob' }),
    userRow({ id: 3, username: 'eve', disabled: true }, { password: 'correct horse', compat: 'sesame' }),
    userRow({ id: 4, username: 'cyd' }, { password: 'correct horse' }),
  ],
  apiKeys: [keyRow(1, 'adas-own-key'), keyRow(2, 'bobs-own-key'), keyRow(3, 'eves-own-key')],
  accessRules: [ruleRow(), ruleRow({ id: 2, type: 'stream' })],
  catalogGroups: { members: [], catalogs: [] },
};

/** Authentication over in-memory parts, a clock to turn, and rows to exchange. */
export interface AuthFixture {
  readonly auth: Auth;
  readonly clock: { nowMs: number };
  readonly sessions: Map<SessionKey, SessionRecord>;
  /** Puts other rows in place and tells of the change. */
  readonly change: (rows: CredentialRows) => void;
}

/** Builds authentication for one spec. */
export const authFixture = (changed: Partial<AuthSettings> = {}, first: CredentialRows = rows): AuthFixture => {
  const clock = { nowMs: NOON };
  const now = (): number => clock.nowMs;
  const all = { ...settings, ...changed };
  const windowMs = all.LOGIN_WINDOW_S * 1000;
  const shared = new Map<SessionKey, SessionRecord>();
  let current = first;
  const log = pino({ level: 'silent' });
  const reader = new CredentialReader({ source: async () => current, log, now });
  const limits = { windowMs, failuresPerAccount: all.LOGIN_FAILURES_PER_ACCOUNT, failuresPerAddress: all.LOGIN_FAILURES_PER_ADDRESS };
  const counters = inMemoryCounters(now, windowMs);
  const parts = {
    reader,
    sessions: inMemorySessions({ now, lifetimeMs: all.SESSION_LENGTH_S * 1000, shared }),
    throttle: loginThrottle(counters, limits, now),
    unauthenticated: unauthenticatedThrottle(counters, { windowMs, callsPerAddress: all.STRANGER_CALLS_PER_ADDRESS }, now),
    lastSeen: inMemoryLastSeen(now),
    sessionTokens: sessionTokens(SECRET),
    mediaTokens: mediaTokens(SECRET, now),
    accessTokens: accessTokens(SECRET, now),
    isOperatorToken: operatorTokenCheck(SECRET, now),
    playerUrls: playerUrls(SECRET, now),
    sealer,
    settings: all,
    log,
    now,
  };
  return {
    auth: authOver(parts, () => Promise.resolve()),
    clock,
    sessions: shared,
    change: (next) => {
      current = next;
      reader.noteChange();
    },
  };
};

/** A request from an ordinary address. */
export const request = (params: RequestParams, headers: AuthRequest['headers'] = {}, peerAddress = '192.0.2.7'): AuthRequest => ({
  params,
  headers,
  peerAddress,
});
