import { sameText, sha256Hex } from '@continuo/chassis';
import { createHash } from 'node:crypto';
import { LEAST_LEVEL } from './access-rules.js';
import type { Auth, AuthRequest, CompatFailure, CompatResult, RequestParams } from './auth.js';
import type { CredentialSnapshot, StoredAccount } from './credential-snapshot.js';
import type { Identities, Identity } from './identities.js';
import { bearerToken, textParam } from './request-credentials.js';
import { SESSION_TOKEN } from './session-store.js';

/** The token of a login: lower-case hex MD5 over the UTF-8 bytes of password and salt (compat README section 5). */
export const saltedToken = (password: string, salt: string): string =>
  createHash('md5')
    .update(password + salt, 'utf8')
    .digest('hex');

/** The password of a `p` parameter: in clear, or `enc:` and hex; what is no valid hex is the password itself (compat README section 5). */
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

/** Which login a call means, or why it means none: bearer header, `apiKey`, `t` and `s`, `p`, in this order (compat README section 5). */
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

/** A password that the account may be proven with, and the key that it is, if it is one. */
interface Candidate {
  readonly password: string;
  readonly key?: StoredAccount['keys'][number];
}

const candidates = (identities: Identities, stored: StoredAccount): { all: Candidate[]; hasPassword: boolean } => {
  const password = identities.secret(stored.sealedCompatPassword);
  const keys = stored.keys.flatMap((key) => {
    const text = identities.secret(key.sealedKey);
    return text === undefined ? [] : [{ password: text, key }];
  });
  return { all: [...(password === undefined ? [] : [{ password }]), ...keys], hasPassword: password !== undefined };
};

const identityOf = (stored: StoredAccount, match: Pick<Candidate, 'key'>): Identity =>
  match.key ? { stored, by: 'api-key', key: match.key } : { stored, by: 'password' };

/** Stands in for the secrets of a name that nobody has, so that trying it takes the same time. */
const NOBODY = 'nobody has this password';

const byToken = (identities: Identities, stored: StoredAccount | undefined, token: string, salt: string): Identity | CompatFailure => {
  const given = token.toLowerCase();
  const { all, hasPassword } = stored ? candidates(identities, stored) : { all: [], hasPassword: true };
  const match = all.find(({ password }) => sameText(saltedToken(password, salt), given));
  if (all.length === 0) sameText(saltedToken(NOBODY, salt), given);
  if (stored && match) return identityOf(stored, match);
  return failure(hasPassword ? 'wrong-credentials' : 'token-unsupported');
};

const byPassword = (identities: Identities, stored: StoredAccount | undefined, given: string): Identity | CompatFailure => {
  const password = identities.secret(stored?.sealedCompatPassword ?? null);
  const isPassword = sameText(password ?? NOBODY, given);
  if (stored && password !== undefined && isPassword) return identityOf(stored, {});
  // Keys are compared by their digest, which needs no server secret: they survive a change of it.
  const digest = sha256Hex(given);
  const key = stored?.keys.find(({ sha256 }) => sameText(sha256, digest));
  return stored && key ? identityOf(stored, { key }) : failure('wrong-credentials');
};

const judge = async (
  identities: Identities,
  snapshot: CredentialSnapshot,
  credential: CompatCredential,
): Promise<Identity | CompatFailure> => {
  const { settings } = identities.parts;
  if (credential.kind === 'key') return (await identities.byToken(snapshot, credential.key)) ?? failure('invalid-key');
  const known = snapshot.userByName(credential.user);
  const stored = known?.account.disabled ? undefined : known;
  if (credential.kind === 'token') {
    return settings.COMPAT_TOKEN_LOGIN ? byToken(identities, stored, credential.token, credential.salt) : failure('token-unsupported');
  }
  return settings.COMPAT_PASSWORD_LOGIN ? byPassword(identities, stored, credential.password) : failure('mechanism-unsupported');
};

/** Failures that are guesses. An outdated session token is none, and the other failures say nothing about a secret. */
const isGuess = (credential: CompatCredential, { reason }: CompatFailure): boolean =>
  reason === 'invalid-key'
    ? credential.kind === 'key' && !SESSION_TOKEN.test(credential.key)
    : reason === 'wrong-credentials' || reason === 'token-unsupported';

/** Logins of the compatibility API (service description part 5.3, compat README section 5). */
export const compatAuth =
  (identities: Identities): Auth['authenticateCompat'] =>
  async (request): Promise<CompatResult> => {
    const credential = compatCredential(request);
    if ('reason' in credential) return { ok: false, failure: credential };
    const snapshot = await identities.snapshot();
    const address = identities.address(request);
    const { throttle } = identities.parts;
    const judged = await judge(identities, snapshot, credential);
    const keyId = credential.kind === 'key' && !('reason' in judged) ? judged.key?.keyId : undefined;
    const attempt = {
      address,
      ...(credential.kind === 'key' ? {} : { username: credential.user }),
      ...(keyId === undefined ? {} : { keyId }),
    };
    const isSession = !('reason' in judged) && judged.by === 'session';
    const retryAfterMs = isSession ? 0 : throttle.delayMs(attempt);
    if (retryAfterMs > 0) return { ok: false, failure: { reason: 'throttled', retryAfterMs } };
    if ('reason' in judged) {
      if (isGuess(credential, judged)) await throttle.failed(attempt);
      return { ok: false, failure: judged };
    }
    throttle.succeeded(attempt);
    if (!identities.admits(snapshot, { use: 'rpc', address, userId: judged.stored.account.id, level: LEAST_LEVEL })) {
      return { ok: false, failure: failure('address-denied') };
    }
    const viaHeader = credential.kind === 'key' && credential.viaHeader;
    return { ok: true, caller: identities.caller(request, judged, { viaHeader, clientParam: 'c' }) };
  };
