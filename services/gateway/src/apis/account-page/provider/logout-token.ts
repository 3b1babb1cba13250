import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** A logout at the provider: the person, and the session if it was one. */
export interface SignedOut {
  readonly issuer: string;
  readonly subject: string;
  /** The one session at the provider that ended; undefined when all of them did. */
  readonly sessionAtProvider: string | undefined;
}

/** Issuer, audience and keys that a logout token is checked against. */
export interface LogoutTokenSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Address of the provider's keys. */
  readonly keysUrl: string;
}

const TIMEOUT_MS = 10_000;
/** Clocks may differ by so much, and a token may be so old; a copy that is sent later ends no newer session. */
const CLOCK_TOLERANCE_S = 30;
const MAX_AGE_S = 120;

/** Claims of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). It must not pass for an ID token, hence no nonce. */
const claims = z.object({
  iss: z.string(),
  sub: z.string(),
  sid: z.string().optional(),
  events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
  nonce: z.undefined().optional(),
});

/** Verifies the tokens by which a provider says that somebody has signed out there. */
export class LogoutTokens {
  readonly #keys: JWTVerifyGetKey;

  constructor(private readonly settings: LogoutTokenSettings) {
    this.#keys = createRemoteJWKSet(new URL(settings.keysUrl), { timeoutDuration: TIMEOUT_MS });
  }

  /** @throws Error when the token is not the provider's, not for this server, too old, or names no subject */
  async verify(token: string): Promise<SignedOut> {
    const { issuer, clientId: audience } = this.settings;
    const { payload } = await jwtVerify(token, this.#keys, { issuer, audience, clockTolerance: CLOCK_TOLERANCE_S, maxTokenAge: MAX_AGE_S });
    const { iss, sub, sid } = claims.parse(payload);
    return { issuer: iss, subject: sub, sessionAtProvider: sid };
  }
}

/** Whether an error of {@link LogoutTokens.verify} is the token's fault. Else the provider did not show its keys. */
export const isTokenFault = (error: unknown): boolean =>
  error instanceof z.ZodError || (error instanceof errors.JOSEError && !['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code));
