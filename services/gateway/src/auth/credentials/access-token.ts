import { signer, type ServerSecret } from '@continuo/chassis';
import type { AccessToken } from '../auth.js';
import { WEB_KEY, type SessionKey } from '../sessions/session-key.js';

/** Signs and checks access tokens: each lets the web page call the APIs for a short time, while the session of its cookie lives. */
export interface AccessTokens {
  sign(session: SessionKey): AccessToken;
  /** Session of a token; undefined for a forged, changed or expired one. */
  check(token: string): SessionKey | undefined;
  /** True for a token that was made here, even if it has expired. */
  isOurs(token: string): boolean;
}

const MINUTE_MS = 60_000;
/** The page keeps it in memory; the cookie, which no script can read, renews it. */
const LIFETIME_MS = 15 * MINUTE_MS;
const FORM = /^a-(?<session>[0-9a-f]{64})-(?<end>[a-z0-9]{1,10})-(?<mark>[0-9a-f]{40})$/;

/** Access tokens under a key derived from the server's secret; every gateway checks every other's. */
export const accessTokens = (secret: ServerSecret, now: () => number): AccessTokens => {
  const { mark: markOf, isMark } = signer(secret, 'access-tokens/v1', 40);
  const read = (token: string): { readonly session: string; readonly end: string } | undefined => {
    const { session = '', end = '', mark } = FORM.exec(token)?.groups ?? {};
    return mark !== undefined && isMark(`a-${session}-${end}`, mark) ? { session, end } : undefined;
  };
  return {
    sign: (session) => {
      const expiresAtMs = now() + LIFETIME_MS;
      const body = `a-${session.slice(WEB_KEY.length)}-${expiresAtMs.toString(36)}`;
      return { token: `${body}-${markOf(body)}`, expiresAtMs };
    },
    check: (token) => {
      const parts = read(token);
      if (!parts || Number.parseInt(parts.end, 36) <= now()) return undefined;
      return `${WEB_KEY}${parts.session}` as SessionKey;
    },
    isOurs: (token) => read(token) !== undefined,
  };
};
