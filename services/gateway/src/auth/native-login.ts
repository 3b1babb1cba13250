import { sameText, sha256Hex } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { AuthRequest } from './auth.js';
import type { CredentialSnapshot, StoredAccount, StoredKey } from './credential-snapshot.js';
import { userHash } from './credential-snapshot.js';
import type { Identities, Identity } from './identities.js';
import { textParam } from './request-credentials.js';
import { keyOfImplicit } from './session-store.js';

/** How far a client's clock may be off, seconds (native README section 4). */
export const TIMESTAMP_TOLERANCE_S = 1800;

/** The handshake's passphrase: `SHA256(timestamp + SHA256(password))`, lower-case hex (native README section 4). */
export const passphrase = (timestamp: string, passwordSha256: string): string => sha256Hex(timestamp + passwordSha256);

/** What is said of every wrong login, so that it does not tell names from passwords. */
export const wrongLogin = (): Rejection => new Rejection('auth.failed', 'Login failed: wrong user name, password or API key', 'account');

/** What is said while too many logins have failed. */
export const tooManyLogins = (delayMs: number): Rejection =>
  new Rejection('auth.throttled', `Too many failed logins; try again in ${Math.ceil(delayMs / 1000)} seconds`, 'account');

const keyOfUser = ({ account, keys }: StoredAccount, user: string, auth: string): StoredKey | undefined => {
  const hash = auth.toLowerCase();
  // The client computed the hash over the name as it was typed, which may differ in case.
  const names = new Set([user, account.username]);
  return keys.find((key) => sameText(key.sha256, sha256Hex(auth)) || [...names].some((name) => sameText(userHash(name, key.sha256), hash)));
};

const checkClock = (timestamp: string, nowMs: number): void => {
  const nowS = Math.floor(nowMs / 1000);
  if (/^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - nowS) <= TIMESTAMP_TOLERANCE_S) return;
  const shown = timestamp.slice(0, 32).replaceAll(/[^\w.+:-]/g, '?');
  throw new Rejection('auth.failed', `Login failed: the timestamp is out of range (yours ${shown}, server ${nowS})`, 'account');
};

const passwordMatches = (identities: Identities, stored: StoredAccount | undefined, auth: string, timestamp: string): boolean => {
  const kept = identities.secret(stored?.sealedPasswordSha256 ?? null);
  // An unknown name costs the same comparison.
  const matches = sameText(passphrase(timestamp, kept ?? sha256Hex('')), auth.toLowerCase());
  return matches && kept !== undefined;
};

interface NamedCredential {
  readonly user: string;
  readonly token: string;
}

/** A handshake that names its user: API key, SHA256(user + SHA256(key)), or the password's passphrase with a timestamp. */
const byName = (
  identities: Identities,
  snapshot: CredentialSnapshot,
  request: AuthRequest,
  { user, token: auth }: NamedCredential,
): Identity | undefined => {
  const known = snapshot.userByName(user);
  const stored = known?.account.disabled ? undefined : known;
  const key = stored && keyOfUser(stored, user, auth);
  if (key) return { stored, by: 'api-key', key, sessionKey: keyOfImplicit(key.userId, key.keyId), token: auth };
  const timestamp = textParam(request.params, 'timestamp');
  if (timestamp === undefined) return undefined;
  checkClock(timestamp, identities.parts.now());
  const matches = passwordMatches(identities, stored, auth, timestamp);
  return stored && matches ? { stored, by: 'password' } : undefined;
};

/** The credential of a handshake. A header's token decides by itself; else `auth`, for `user` when that is named. */
export interface HandshakeCredential {
  readonly token: string;
  readonly user?: string;
}

/**
 * Proves the caller of a handshake, counting failures.
 * @throws Rejection `auth.failed` or `auth.throttled`, subject `account`
 */
export const proveHandshake = async (
  identities: Identities,
  request: AuthRequest,
  { token, user }: HandshakeCredential,
): Promise<Identity> => {
  const { throttle } = identities.parts;
  const snapshot = await identities.snapshot();
  const live = user === undefined ? await identities.byToken(snapshot, token) : await ownSession(identities, snapshot, user, token);
  if (live?.by === 'session') return live;
  const attempt = {
    address: identities.address(request),
    ...(user === undefined ? {} : { username: user }),
    ...(live?.key ? { keyId: live.key.keyId } : {}),
  };
  const delayMs = throttle.delayMs(attempt);
  if (delayMs > 0) throw tooManyLogins(delayMs);
  const identity = live ?? (user === undefined ? undefined : byName(identities, snapshot, request, { user, token }));
  if (!identity) {
    await throttle.failed(attempt);
    throw wrongLogin();
  }
  throttle.succeeded(attempt);
  return identity;
};

/** Clients repeat the handshake with their session's token and the name that they know; the session counts only if it is that user's. */
const ownSession = async (
  identities: Identities,
  snapshot: CredentialSnapshot,
  user: string,
  token: string,
): Promise<Identity | undefined> => {
  const identity = await identities.byToken(snapshot, token);
  return identity?.by === 'session' && snapshot.userByName(user) === identity.stored ? identity : undefined;
};
