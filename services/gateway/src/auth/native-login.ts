import { sameDigest, sha256Hex } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { AuthRequest } from './auth.js';
import type { CredentialSnapshot, StoredAccount, StoredKey } from './credentials/credential-snapshot.js';
import { userHash } from './credentials/credential-snapshot.js';
import type { Identities, Identity } from './credentials/identities.js';
import { textParam } from './credentials/request-credentials.js';
import { keyOfImplicit } from './sessions/session-key.js';

/** Greatest clock skew of a client, seconds. */
export const TIMESTAMP_TOLERANCE_S = 1800;

/** The handshake's passphrase: `SHA256(timestamp + SHA256(password))`, lower-case hex. */
export const passphrase = (timestamp: string, passwordSha256: string): string => sha256Hex(timestamp + passwordSha256);

/** Builds the rejection of a failed login, the same for names and passwords. */
export const wrongLogin = (): Rejection => new Rejection('auth.failed', 'Login failed: wrong user name, password or API key', 'account');

const keyOfUser = ({ account, keys }: StoredAccount, user: string, auth: string): StoredKey | undefined => {
  const hash = auth.toLowerCase();
  const digest = sha256Hex(auth);
  // The client computed the hash over the name as it was typed, which may differ in case.
  const names = [user, account.username];
  return keys.find((key) => sameDigest(key.sha256, digest) || names.some((name) => sameDigest(userHash(name, key.sha256), hash)));
};

/** Why a timestamp is refused; undefined for one that is near the server's own time. */
const clockRefusal = (timestamp: string, nowMs: number): Rejection | undefined => {
  const nowS = Math.floor(nowMs / 1000);
  if (/^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - nowS) <= TIMESTAMP_TOLERANCE_S) return undefined;
  const shown = timestamp.slice(0, 32).replaceAll(/[^\w.+:-]/g, '?');
  return new Rejection('auth.failed', `Login failed: the timestamp is out of range (yours ${shown}, server ${nowS})`, 'account');
};

const passwordMatches = (identities: Identities, stored: StoredAccount, auth: string, timestamp: string): boolean => {
  const kept = identities.secret(stored.sealedPasswordSha256 ?? identities.nobody.sealedPasswordSha256);
  const matches = sameDigest(passphrase(timestamp, kept ?? sha256Hex('')), auth.toLowerCase());
  return matches && kept !== undefined && stored.sealedPasswordSha256 !== null;
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
  const isThere = known !== undefined && !known.account.disabled;
  const stored = isThere ? known : identities.nobody;
  const key = keyOfUser(stored, user, auth) ?? (stored.keys.length === 0 ? keyOfUser(identities.nobody, user, auth) : undefined);
  if (key && isThere) return { stored, by: 'api-key', key, sessionKey: keyOfImplicit(key.userId, key.keyId), token: auth };
  const timestamp = textParam(request.params, 'timestamp');
  if (timestamp === undefined || clockRefusal(timestamp, identities.parts.now())) return undefined;
  return passwordMatches(identities, stored, auth, timestamp) && isThere ? { stored, by: 'password' } : undefined;
};

/** The credential of a handshake: for `user` when that is named. */
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
  const snapshot = await identities.snapshot();
  const identity = await identities.checks.check(request, {
    ...(user === undefined
      ? identities.tokenCheck(snapshot, token)
      : {
          username: user,
          find: async () => (await ownSession(identities, snapshot, user, token)) ?? byName(identities, snapshot, request, { user, token }),
          isOver: () => identities.isOver(token),
          holderOf: identities.holderOf,
        }),
  });
  if (identity) return identity;
  const timestamp = user === undefined ? undefined : textParam(request.params, 'timestamp');
  throw (timestamp !== undefined && clockRefusal(timestamp, identities.parts.now())) || wrongLogin();
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
