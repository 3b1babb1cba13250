import type { Provider } from '../exchange.js';
import { secretSealer, type Sealer } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { WebSignIn } from '../../../auth/index.js';
import { queryText } from '../../../server/requests/request-context.js';
import { field, goTo, goToBegin, startSession, redirectToProvider, signedIn, type Exchange, type SignedExchange } from '../exchange.js';
import { OpenId, type ProvenIdentity } from './open-id.js';
import { PENDING_S, PendingLogins, type PendingLogin } from './pending-logins.js';
import { ProviderAccounts } from './provider-accounts.js';
import type { HasAuth } from '../../../auth/auth.js';
import type { HasClock, HasConfig, HasLog, HasSecrets, HasCommands } from '../../../server/needs.js';

type Services = HasAuth & HasConfig & HasLog & HasClock & HasSecrets & HasCommands;

/** Longest ID token kept for signing out; every gateway holds every session in memory. */
const MAX_ID_TOKEN = 4096;

const notBegun = (): Rejection =>
  new Rejection('auth.failed', 'This login was not begun in this browser, took too long, or is over already. Try again.');

class OpenIdProvider implements Provider {
  readonly name: string;
  private readonly pending: PendingLogins;
  private readonly accounts: ProviderAccounts;
  private readonly sealer: Sealer;

  constructor(
    private readonly services: Services,
    private readonly openId: OpenId,
  ) {
    const { config, now } = services;
    this.name = config.OIDC_NAME;
    this.pending = new PendingLogins(services.secrets, now);
    this.accounts = new ProviderAccounts(services);
    this.sealer = secretSealer(services.secrets, 'provider-id-token/v1');
  }

  begin(page: Exchange): Promise<FastifyReply> {
    return this.leave(page, {});
  }

  beginLink(page: SignedExchange): Promise<FastifyReply> {
    return this.leave(page, { linksSession: this.services.auth.web.sessionId(page.who.token) });
  }

  async finish(page: Exchange): Promise<FastifyReply> {
    const cookie = page.cookies.get('continuo-provider');
    page.cookies.clear('continuo-provider');
    const { begun: login, identity } = await this.services.auth.web.throttled(page.auth, async () => {
      const begun = this.pending.take(cookie);
      if (!begun) throw notBegun();
      return { begun, identity: await this.openId.finish(queryText(page.request.url), begun) };
    });
    return login.linksSession === undefined ? this.signIn(page, identity) : this.link(page, identity, login.linksSession);
  }

  async signOutUrl({ by, sealedIdToken }: WebSignIn): Promise<string | undefined> {
    if (by !== 'provider') return undefined;
    return this.openId.endUrl(sealedIdToken === undefined ? undefined : this.opened(sealedIdToken));
  }

  async endSessions(page: Exchange): Promise<FastifyReply> {
    const { sessionAtProvider, ...identity } = await this.openId.signedOut(field(page, 'logout_token'));
    const userId = await this.accounts.known(identity);
    const isMeant = ({ sealedIdToken }: WebSignIn): boolean => {
      const idToken = sessionAtProvider === undefined || sealedIdToken === undefined ? undefined : this.opened(sealedIdToken);
      const began = idToken === undefined ? undefined : this.openId.sessionOf(idToken);
      // Of a session that does not know where it began, nobody can say that it may go on.
      return began === undefined || began === sessionAtProvider;
    };
    const ended = userId === undefined ? 0 : await this.services.auth.web.endSessionsOfProvider(userId, isMeant);
    page.log.info({ userId, ended }, 'Sessions ended by the identity provider');
    return page.reply.send();
  }

  /** A session may be older than the present server secret; signing out works without the ID token. */
  private opened(sealedIdToken: string): string | undefined {
    try {
      return this.sealer.open(sealedIdToken);
    } catch (err) {
      this.services.log.debug({ err }, 'Failed to decrypt the ID token of a session: sealed under another CONTINUO_SECRET');
      return undefined;
    }
  }

  private async leave(page: Exchange, more: Pick<PendingLogin, 'linksSession'>): Promise<FastifyReply> {
    const { url, checks } = await this.openId.begin();
    page.cookies.set('continuo-provider', this.pending.seal({ ...checks, ...more }), PENDING_S);
    return redirectToProvider(page, url);
  }

  private async signIn(page: Exchange, identity: ProvenIdentity): Promise<FastifyReply> {
    const userId = await this.accounts.accountFor(page, identity);
    const { idToken = '' } = identity;
    const kept = idToken !== '' && idToken.length <= MAX_ID_TOKEN ? { sealedIdToken: this.sealer.seal(idToken) } : {};
    const { token } = await this.services.auth.web.open(page.auth, userId, { by: 'provider', ...kept });
    await startSession(page, token);
    return goToBegin(page);
  }

  /** Links only the session that asked for it: nobody can be made to link another person's identity. */
  private async link(page: Exchange, identity: ProvenIdentity, sessionId: string): Promise<FastifyReply> {
    const signed = await signedIn(page);
    if (!signed || this.services.auth.web.sessionId(signed.who.token) !== sessionId) throw notBegun();
    await this.accounts.link(signed, identity);
    return goTo(page, 'me?done=identity-link');
  }
}

/** The configured provider; undefined without one. */
export const providerOf = (services: Services, log: Logger): Provider | undefined => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL: publicUrl, ...config } = services.config;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) return undefined;
  const base = publicUrl.replace(/\/+$/, '');
  const settings = {
    issuer,
    clientId,
    clientSecret: config.OIDC_CLIENT_SECRET,
    clientAuth: config.OIDC_CLIENT_AUTH,
    scopes: config.OIDC_SCOPES,
    returnUrl: `${base}/account/provider-return`,
    signedOutUrl: `${base}/account/login?out=1`,
  };
  return new OpenIdProvider(services, new OpenId(settings, log));
};
