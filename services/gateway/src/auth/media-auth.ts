import { sameText, sha256Hex } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { Auth, AuthRequest, MediaPlace } from './auth.js';
import { plainPassword } from './compat-auth.js';
import type { CredentialSnapshot, StoredAccount } from './credential-snapshot.js';
import type { Identities, Identity } from './identities.js';
import { tooManyLogins } from './native-login.js';
import { headerToken, textParam } from './request-credentials.js';

const denied = (): Rejection => new Rejection('auth.expired', 'Session Expired', 'account');

const byPassword = (identities: Identities, stored: StoredAccount | undefined, given: string): Identity | undefined => {
  const digest = sha256Hex(given);
  const login = identities.secret(stored?.sealedPasswordSha256 ?? null);
  const isLogin = sameText(login ?? sha256Hex(''), digest) && login !== undefined;
  const key = stored?.keys.find(({ sha256 }) => sameText(sha256, digest));
  const compat = identities.secret(stored?.sealedCompatPassword ?? null);
  const isCompat = sameText(compat ?? '', given) && compat !== undefined;
  if (!stored || !(isLogin || isCompat || key)) return undefined;
  return key ? { stored, by: 'api-key', key } : { stored, by: 'password' };
};

/** The credential that the request names first; the others are not looked at (choices.md row 21). */
const judge = (
  identities: Identities,
  snapshot: CredentialSnapshot,
  request: AuthRequest,
  place: MediaPlace,
): Promise<Identity | undefined> | Identity | undefined => {
  const param = (name: string): string | undefined => textParam(request.params, name);
  const header = headerToken(request);
  if (header !== undefined) return identities.byToken(snapshot, header);
  const ssid = place === 'play' ? param('ssid') : undefined;
  const streaming = ssid === undefined ? undefined : identities.byStreamToken(snapshot, ssid);
  if (streaming) return streaming;
  const playing = ssid === undefined ? undefined : identities.byPlayerUrl(snapshot, ssid, request.params);
  if (playing) return playing;
  const token = param('ssid') ?? param('auth');
  if (token !== undefined) return identities.byMediaToken(snapshot, token) ?? identities.byToken(snapshot, token);
  const key = param('apikey') ?? param('apiKey');
  if (key !== undefined) return identities.byToken(snapshot, key);
  const [user, password] = [param('u'), param('p')];
  if (user === undefined || password === undefined) return undefined;
  const known = snapshot.userByName(user);
  return byPassword(identities, known?.account.disabled ? undefined : known, plainPassword(password));
};

/** Logins of play and picture addresses (native README section 12). */
export const mediaAuth =
  (identities: Identities): Auth['authenticateMedia'] =>
  async (request, place = 'picture') => {
    const { throttle, sessions } = identities.parts;
    const snapshot = await identities.snapshot();
    const address = identities.address(request);
    const viaHeader = headerToken(request) !== undefined;
    const byName = !viaHeader && ['ssid', 'auth', 'apikey', 'apiKey'].every((name) => textParam(request.params, name) === undefined);
    const username = byName ? textParam(request.params, 'u') : undefined;
    const attempt = { address, ...(username === undefined ? {} : { username }) };
    const delayMs = username === undefined ? 0 : throttle.delayMs(attempt);
    if (delayMs > 0) throw tooManyLogins(delayMs);
    const identity = await judge(identities, snapshot, request, place);
    if (!identity) {
      if (username !== undefined) await throttle.failed(attempt);
      throw denied();
    }
    if (username !== undefined) throttle.succeeded(attempt);
    identities.requireAddress(snapshot, 'stream', identity, address);
    const record = identity.by === 'session' && identity.sessionKey ? sessions.extend(identity.sessionKey) : undefined;
    const session = record && {
      version: record.version,
      client: record.client,
      expiresAtMs: record.expiresAtMs,
      ...(identity.token ? { token: identity.token } : {}),
    };
    return identities.caller(request, identity, { viaHeader, ...(session ? { session } : {}) });
  };
