import { sameDigest, sameText, sha256Hex } from '@continuo/chassis';
import { hash } from 'node:crypto';
import { LEAST_LEVEL } from './access-rules.js';
import type { Auth, AuthRequest, CompatFailure, CompatResult, CredentialCheck, RequestParams } from './auth.js';
import type { CredentialSnapshot, StoredAccount } from './credentials/credential-snapshot.js';
import type { Identities, Identity } from './credentials/identities.js';
import type { ProvenCredential } from './credentials/proven-credentials.js';
import { mayListen, playerCaller } from './player-caller.js';
import { bearerToken, textParam } from './credentials/request-credentials.js';

/** The token of a login: lower-case hex MD5 over the UTF-8 bytes of password and salt. */
export const saltedToken = (password: string, salt: string): string => hash('md5', password + salt, 'hex');

/** The password of a `p` parameter: in clear, or `enc:` and hex; what is no valid hex is the password itself. */
export const plainPassword = (p: string): string => {
  const hex = /^enc:(?<hex>(?:[0-9a-f]{2})+)$/i.exec(p)?.groups?.['hex'];
  if (hex === undefined) return p;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(hex, 'hex'));
  } catch {
    // Hex of something that is no text: the whole value is meant as it stands.
    return p;
  }
};

/** One of the ways to log in, as the parameters name it. */
export type CompatCredential =
  | { readonly kind: 'key'; readonly key: string; readonly viaHeader: boolean }
  | { readonly kind: 'token'; readonly user: string; readonly token: string; readonly salt: string }
  | { readonly kind: 'password'; readonly user: string; readonly password: string };

const failure = (reason: Exclude<CompatFailure['reason'], 'missing-parameter' | 'throttled'>): CompatFailure => ({ reason });
const missing = (parameter: string): CompatFailure => ({ reason: 'missing-parameter', parameter });

/** Reads the credential of a call, or why there is none: bearer header, `apiKey`, `t` and `s`, `p`, in this order. */
export const compatCredential = (request: AuthRequest): CompatCredential | CompatFailure => {
  const bearer = bearerToken(request);
  if (bearer !== undefined) return { kind: 'key', key: bearer, viaHeader: true };
  const text = (name: string): string | undefined => textParam(request.params, name);
  const key = text('apiKey');
  if (key === undefined) return passwordCredential(text('u'), request.params);
  const besides = ['u', 'p', 't', 's'].some((name) => request.params[name] !== undefined);
  return besides ? failure('conflicting-mechanisms') : { kind: 'key', key, viaHeader: false };
};

const passwordCredential = (user: string | undefined, params: RequestParams): CompatCredential | CompatFailure => {
  const [p, t, s] = ['p', 't', 's'].map((name) => textParam(params, name));
  if (p !== undefined && (t !== undefined || s !== undefined)) return failure('conflicting-mechanisms');
  if (user === undefined) return missing('u');
  if (t !== undefined || s !== undefined) {
    if (t === undefined) return missing('t');
    return s === undefined ? missing('s') : { kind: 'token', user, token: t, salt: s };
  }
  return p === undefined ? missing('p') : { kind: 'password', user, password: plainPassword(p) };
};

/** The password and the keys of an account; nobody's in the place of those that it lacks, so that looking takes as long. */
const candidates = (identities: Identities, stored: StoredAccount): ProvenCredential[] => {
  const { nobody } = identities;
  const password = identities.secret(stored.sealedCompatPassword ?? nobody.sealedCompatPassword);
  const kept = stored.keys.length > 0 ? stored.keys : nobody.keys;
  const keys = kept.flatMap((key) => {
    const text = identities.secret(key.sealedKey);
    return text === undefined ? [] : [{ password: text, key }];
  });
  return [...(password === undefined ? [] : [{ password }]), ...keys];
};

const identityOf = (stored: StoredAccount, { key }: ProvenCredential): Identity =>
  key ? { stored, by: 'api-key', key } : { stored, by: 'password' };

const byToken = (identities: Identities, stored: StoredAccount, matches: (password: string) => boolean): ProvenCredential | undefined =>
  // All are compared, so that how long it takes tells nothing of which of them it was.
  candidates(identities, stored).filter(({ password }) => matches(password))[0];

const byPassword = (identities: Identities, stored: StoredAccount, given: string): ProvenCredential | undefined => {
  const password = identities.secret(stored.sealedCompatPassword ?? identities.nobody.sealedCompatPassword);
  const isPassword = password !== undefined && sameText(password, given);
  // Keys are compared by their digest, which needs no server secret: they survive a change of it.
  const digest = sha256Hex(given);
  const key = stored.keys.find(({ sha256 }) => sameDigest(sha256, digest));
  if (isPassword) return { password };
  return key && { password: given, key };
};

/** Proves an account from memory, else by its stored secrets. */
const prove = (
  identities: Identities,
  stored: StoredAccount,
  credential: Exclude<CompatCredential, { kind: 'key' }>,
): ProvenCredential | undefined => {
  const given = credential.kind === 'token' ? credential.token.toLowerCase() : credential.password;
  const matches = (password: string): boolean =>
    credential.kind === 'token' ? sameDigest(saltedToken(password, credential.salt), given) : sameText(password, given);
  const kept = identities.proven.find(stored, matches);
  // A key may have expired since.
  if (kept && (kept.key === undefined || stored.keys.includes(kept.key))) return kept;
  const proven = credential.kind === 'token' ? byToken(identities, stored, matches) : byPassword(identities, stored, given);
  if (proven) identities.proven.keep(stored, proven);
  return proven;
};

/** Authenticates a name with a token or a password. An unknown name, a disabled account and one without a password take the same time, and are the same to the caller. */
const byName = (
  identities: Identities,
  snapshot: CredentialSnapshot,
  credential: Exclude<CompatCredential, { kind: 'key' }>,
): Identity | undefined => {
  const known = snapshot.userByName(credential.user);
  const stored = known && !known.account.disabled ? known : identities.nobody;
  const proven = prove(identities, stored, credential);
  return proven && stored === known ? identityOf(stored, proven) : undefined;
};

/** The failure of a way to log in that the server has switched off, whoever tries it. */
const switchedOff = ({ settings }: Identities['parts'], { kind }: CompatCredential): CompatFailure | undefined => {
  if (kind === 'token' && !settings.COMPAT_TOKEN_LOGIN) return failure('token-unsupported');
  return kind === 'password' && !settings.COMPAT_PASSWORD_LOGIN ? failure('mechanism-unsupported') : undefined;
};

const checkOf = (identities: Identities, snapshot: CredentialSnapshot, credential: CompatCredential): CredentialCheck<Identity> =>
  credential.kind === 'key'
    ? identities.tokenCheck(snapshot, credential.key)
    : { username: credential.user, find: () => byName(identities, snapshot, credential), holderOf: identities.holderOf };

/** Logins of the compatibility API. */
export const compatAuth =
  (identities: Identities): Auth['authenticateCompat'] =>
  async (request): Promise<CompatResult> => {
    const credential = compatCredential(request);
    if ('reason' in credential) return { ok: false, failure: credential };
    const off = switchedOff(identities.parts, credential);
    if (off) return { ok: false, failure: off };
    const snapshot = await identities.snapshot();
    const result = await identities.checks.result(request, checkOf(identities, snapshot, credential));
    if (!('found' in result)) return { ok: false, failure: { reason: 'throttled', retryAfterMs: result.delayMs } };
    const identity = result.found;
    if (!identity) return { ok: false, failure: failure(credential.kind === 'key' ? 'invalid-key' : 'wrong-credentials') };
    const address = identities.address(request);
    if (!identities.admits(snapshot, { use: 'rpc', address, userId: identity.stored.account.id, level: LEAST_LEVEL })) {
      return { ok: false, failure: failure('address-denied') };
    }
    const viaHeader = credential.kind === 'key' && credential.viaHeader;
    const caller = identities.caller(request, identity, { viaHeader, clientParam: 'c' });
    return mayListen(caller) ? { ok: true, caller: playerCaller(caller) } : { ok: false, failure: failure('scope-denied') };
  };
