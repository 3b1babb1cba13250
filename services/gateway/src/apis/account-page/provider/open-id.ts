import { Rejection } from '@continuo/contracts';
import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import type { Logger } from 'pino';
import { isTokenFault, LogoutTokens, type SignedOut } from './logout-token.js';

/** Connection to the provider. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Sends the client secret in a header (`basic`) or in the body (`post`). */
  readonly clientAuth: 'basic' | 'post';
  readonly scopes: string;
  /** Redirect URI after signing in. */
  readonly returnUrl: string;
  /** Redirect URI after signing out. */
  readonly signedOutUrl: string;
}

/** State, nonce and PKCE verifier of a pending login. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Identity proven by the provider. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly idToken: string | undefined;
}

const TIMEOUT_S = 10;

/** Codes of the library for an answer of another status than 200, and for one that asks for another token. */
const REFUSALS = new Set<unknown>(['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_WWW_AUTHENTICATE_CHALLENGE']);

const clientAuth = ({ clientSecret, clientAuth: how }: OpenIdSettings): openid.ClientAuth => {
  if (clientSecret === undefined) return openid.None();
  return how === 'basic' ? openid.ClientSecretBasic(clientSecret) : openid.ClientSecretPost(clientSecret);
};

const discover = async (settings: OpenIdSettings): Promise<openid.Configuration> => {
  const issuer = new URL(settings.issuer);
  // Plain HTTP only for a provider on this machine; the settings were checked.
  const insecure = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  return openid.discovery(issuer, settings.clientId, undefined, clientAuth(settings), {
    timeout: TIMEOUT_S,
    // The signature is verified although the token comes over TLS from the provider.
    execute: [openid.enableNonRepudiationChecks, ...insecure],
  });
};

/** Short protocol error codes; the details may hold tokens and are not logged. */
const codesOf = (error: unknown): { readonly code?: unknown; readonly error?: unknown } => {
  const { code, error: answer } = (error ?? {}) as { code?: unknown; error?: unknown };
  return { ...(typeof code === 'string' ? { code } : {}), ...(typeof answer === 'string' ? { error: answer } : {}) };
};

/** The authorization code flow of OpenID Connect with PKCE, state and nonce, at one provider. */
export class OpenId {
  private known: openid.Configuration | undefined;
  private logoutTokens: { readonly keysUrl: string; readonly tokens: LogoutTokens } | undefined;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly log: Logger,
  ) {}

  /**
   * Starts a login: fresh checks and the address at the provider.
   * @throws Rejection `unavailable` when the provider does not answer
   */
  async begin(): Promise<{ readonly url: string; readonly checks: LoginChecks }> {
    const configuration = await this.configuration();
    const checks = { state: openid.randomState(), nonce: openid.randomNonce(), verifier: openid.randomPKCECodeVerifier() };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.returnUrl,
      scope: this.settings.scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, checks };
  }

  /**
   * Verifies the return from the provider. `search` is the query string of the redirect.
   * @throws Rejection `auth.failed` when a check fails, `unavailable` when the provider does not answer
   */
  async finish(search: string, { state, nonce, verifier }: LoginChecks): Promise<ProvenIdentity> {
    // Keys and algorithms are read anew: the library trusts its copy for a minute, in which a provider that rotates them would let nobody in.
    const configuration = await this.read();
    try {
      const returned = new URL(this.settings.returnUrl);
      returned.search = search;
      const tokens = await openid.authorizationCodeGrant(configuration, returned, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Rejection('auth.failed', 'The identity provider did not say who you are.');
      const more = await this.userInfo(configuration, tokens.access_token, claims.sub);
      return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims }, idToken: tokens.id_token };
    } catch (error) {
      if (error instanceof Rejection) throw error;
      this.log.warn(codesOf(error), 'Login at the identity provider failed');
      throw new Rejection('auth.failed', 'The login at the identity provider did not work. Try again.', undefined, { cause: error });
    }
  }

  /**
   * Verifies a token by which the provider says that somebody has signed out there.
   * @throws Rejection `input.invalid` when it says nothing that counts, `unavailable` when the provider does not answer
   */
  async signedOut(token: string): Promise<SignedOut> {
    const { issuer, jwks_uri: keysUrl } = (await this.configuration()).serverMetadata();
    if (keysUrl === undefined) throw new Rejection('input.invalid', 'The identity provider shows no keys.', 'logout_token');
    if (this.logoutTokens?.keysUrl !== keysUrl)
      this.logoutTokens = { keysUrl, tokens: new LogoutTokens({ issuer, clientId: this.settings.clientId, keysUrl }) };
    try {
      return await this.logoutTokens.tokens.verify(token);
    } catch (error) {
      if (!isTokenFault(error)) throw this.unavailable(error);
      this.log.warn(codesOf(error), 'A logout that claims to be the identity provider’s is not');
      throw new Rejection('input.invalid', 'This logout token does not count.', 'logout_token', { cause: error });
    }
  }

  /** Session at the provider that an ID token of ours belongs to; undefined when it does not say. The token was verified at the login. */
  sessionOf(idToken: string): string | undefined {
    const { sid } = decodeJwt(idToken);
    return typeof sid === 'string' ? sid : undefined;
  }

  /** Address for signing out at the provider; undefined when it has none or does not answer. */
  async endUrl(idToken: string | undefined): Promise<string | undefined> {
    const configuration = await this.configuration().catch(() => undefined);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    return openid.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.settings.signedOutUrl,
      ...(idToken === undefined ? {} : { id_token_hint: idToken }),
    }).href;
  }

  private async userInfo(configuration: openid.Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    try {
      return await openid.fetchUserInfo(configuration, accessToken, subject);
    } catch (error) {
      // Dex answers 403 when it signs by another algorithm than RS256. What is wrong in an answer, such as another subject, still ends the login.
      if (!REFUSALS.has(codesOf(error).code)) throw error;
      this.log.warn(codesOf(error), 'The identity provider refuses to tell more of a user; the claims of the ID token are used alone');
      return {};
    }
  }

  private async configuration(): Promise<openid.Configuration> {
    return this.known ?? this.read();
  }

  private async read(): Promise<openid.Configuration> {
    try {
      this.known = await discover(this.settings);
      return this.known;
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  private unavailable(cause: unknown): Rejection {
    this.log.warn(codesOf(cause), 'Identity provider does not answer');
    return new Rejection('unavailable', 'The identity provider does not answer. Try again later.', undefined, { cause });
  }
}
