import { sameDigest, sameText, sha256Hex } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { Auth, AuthRequest, CredentialCheck, MediaPlace } from './auth.js';
import { plainPassword } from './compat-auth.js';
import type { CredentialSnapshot, StoredAccount } from './credentials/credential-snapshot.js';
import type { Identities, Identity } from './credentials/identities.js';
import { playerCaller } from './player-caller.js';
import { headerToken, textParam } from './credentials/request-credentials.js';

const denied = (): Rejection => new Rejection('auth.expired', 'Session Expired', 'account');

const byPassword = (identities: Identities, known: StoredAccount | undefined, given: string): Identity | undefined => {
  const { nobody } = identities;
  const stored = known && !known.account.disabled ? known : nobody;
  const digest = sha256Hex(given);
  const login = identities.secret(stored.sealedPasswordSha256 ?? nobody.sealedPasswordSha256);
  const isLogin = login !== undefined && sameDigest(login, digest);
  const key = stored.keys.find(({ sha256 }) => sameDigest(sha256, digest));
  const compat = identities.secret(stored.sealedCompatPassword ?? nobody.sealedCompatPassword);
  const isCompat = compat !== undefined && sameText(compat, given);
  if (stored !== known || !(isLogin || isCompat || key)) return undefined;
  return key ? { stored, by: 'api-key', key } : { stored, by: 'password' };
};

const ssidOf = (identities: Identities, snapshot: CredentialSnapshot, ssid: string, request: AuthRequest): Identity | undefined =>
  identities.byStreamToken(snapshot, ssid) ?? identities.byPlayerUrl(snapshot, ssid, request.params);

/** The check of the credential that the request names first; the others are not looked at. */
const checkOf = (
  identities: Identities,
  snapshot: CredentialSnapshot,
  request: AuthRequest,
  place: MediaPlace,
): CredentialCheck<Identity> | undefined => {
  const { holderOf } = identities;
  const param = (name: string): string | undefined => textParam(request.params, name);
  const header = headerToken(request);
  if (header !== undefined) return identities.tokenCheck(snapshot, header);
  const ssid = place === 'play' ? param('ssid') : undefined;
  const token = param('ssid') ?? param('auth');
  if (token !== undefined) {
    const find = async (): Promise<Identity | undefined> =>
      (ssid === undefined ? undefined : ssidOf(identities, snapshot, ssid, request)) ??
      identities.byMediaToken(snapshot, token) ??
      identities.byToken(snapshot, token);
    return { find, isOver: () => identities.isOver(token, request.params), holderOf };
  }
  const key = param('apikey') ?? param('apiKey');
  if (key !== undefined) return identities.tokenCheck(snapshot, key);
  const [username, password] = [param('u'), param('p')];
  if (username === undefined || password === undefined) return undefined;
  return { username, find: () => byPassword(identities, snapshot.userByName(username), plainPassword(password)), holderOf };
};

/** Logins of play and picture addresses. */
export const mediaAuth =
  (identities: Identities): Auth['authenticateMedia'] =>
  async (request, place = 'picture') => {
    const { sessions } = identities.parts;
    const snapshot = await identities.snapshot();
    const check = checkOf(identities, snapshot, request, place);
    const identity = check && (await identities.checks.check(request, check));
    if (!identity) throw denied();
    identities.requireAddress(snapshot, 'stream', identity, identities.address(request));
    const record = identity.by === 'session' && identity.sessionKey ? sessions.extend(identity.sessionKey) : undefined;
    const session = record && {
      version: record.version,
      client: record.client,
      expiresAtMs: record.expiresAtMs,
      ...(identity.token ? { token: identity.token } : {}),
    };
    const how = { viaHeader: headerToken(request) !== undefined, ...(session ? { session } : {}) };
    return playerCaller(identities.caller(request, identity, how));
  };
