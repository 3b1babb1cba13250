import { randomToken } from '@continuo/chassis';
import { Rejection, usernameKey } from '@continuo/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestParams, WebCaller, WebSignIn } from '../../auth/index.js';
import { textParam } from '../../server/requests/parameters.js';
import { requestContext, type CallerContext, type RequestContext } from '../../server/requests/request-context.js';
import { pageCookies, type PageCookies } from './cookies.js';
import type { CsrfTokens } from './csrf-tokens.js';
import type { Shell } from './page-shell.js';
import { toProviderPage } from './pages/sign-in.page.js';
import { proxiedName } from './proxy-login.js';
import { securityHeaders, sendPage } from './send-page.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasConfig, HasLog, HasClock, HasCommands, HasSealer, HasSecrets } from '../../server/needs.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasArt } from '../../features/media/art-images.js';
import type { HasAvatars } from '../../features/media/avatars.js';
import type { HasOperations } from '../../features/operations/operations.js';

/** Services that the account pages are given. */
export type Services = HasArt &
  HasAvatars &
  HasAuth &
  HasClock &
  HasCommands &
  HasOperations &
  HasConfig &
  HasLog &
  HasPreferences &
  HasReadModel &
  HasSealer &
  HasSecrets;

/** Services that the account pages use. */
export interface AccountPageServices {
  readonly services: Services;
  readonly csrfTokens: CsrfTokens;
  /** Undefined when no identity provider is configured. */
  readonly provider: Provider | undefined;
}

/** A request to the account pages and its reply. */
export interface Exchange extends RequestContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly tools: AccountPageServices;
  readonly cookies: PageCookies;
  /** Body of a POST; never parameters of the query string. */
  readonly form: RequestParams;
}

/** A request with a session. */
export interface SignedExchange extends Exchange, CallerContext {
  readonly who: WebCaller;
}

/** Creates an exchange. @throws Rejection `input.invalid` when a parameter contains a NUL character */
export const exchange = (request: FastifyRequest, reply: FastifyReply, tools: AccountPageServices): Exchange => {
  const context = requestContext(request, tools.services);
  return {
    ...context,
    request,
    reply,
    tools,
    cookies: pageCookies(request, reply, tools.services.config),
    form: request.method === 'POST' ? ((request.body as RequestParams | undefined) ?? {}) : {},
  };
};

/** Trimmed form field; empty when absent. */
export const field = ({ form }: Pick<Exchange, 'form'>, name: string): string => (textParam(form, name) ?? '').trim();

/** Untrimmed password field. @throws Rejection `input.invalid` when it is too long */
export const passwordField = ({ form }: Pick<Exchange, 'form'>, name: string): string => {
  const text = textParam(form, name) ?? '';
  if (text.length > 1024) throw new Rejection('input.invalid', 'A password has at most 1024 characters.', name);
  return text;
};

/**
 * Redirects to another account page. The address is relative, so that it works behind a proxy with a path prefix and never leaves the server.
 */
export const goTo = ({ reply }: Pick<Exchange, 'reply'>, page: string): FastifyReply =>
  securityHeaders(reply).code(303).header('location', page).send();

/** Sends a page. */
export const show = ({ reply }: Pick<Exchange, 'reply'>, shell: Shell, status = 200): FastifyReply => sendPage(reply.code(status), shell);

/** Leads to the identity provider; `url` comes from the provider, never from a request. */
export const redirectToProvider = (page: Exchange, url: string): FastifyReply => {
  if (page.request.method === 'POST') return show(page, toProviderPage(url));
  return securityHeaders(page.reply).code(303).header('location', url).send();
};

/** CSRF token for forms of a browser without a session; sets the cookie that it belongs to. */
export const browserCsrfToken = ({ cookies, tools }: Exchange): string => {
  const known = cookies.get('continuo-form');
  const bearer = known !== undefined && /^[0-9a-f]{32}$/.test(known) ? known : randomToken();
  if (bearer !== known) cookies.set('continuo-form', bearer);
  return tools.csrfTokens.of(bearer);
};

const refusedForm = (): Rejection =>
  new Rejection('access.denied', 'This form is out of date or did not come from this server. Load the page again.', 'form');

/** True when the browser names another origin; a form that names none is checked by its CSRF token alone. */
const comesFromElsewhere = ({ request }: Pick<Exchange, 'request'>): boolean => {
  const site = request.headers['sec-fetch-site'];
  return typeof site === 'string' && site !== 'same-origin';
};

/** @throws Rejection `access.denied` when the browser says that another origin asks */
export const requireSameOrigin = (page: Pick<Exchange, 'request'>): void => {
  if (comesFromElsewhere(page)) throw refusedForm();
};

/** @throws Rejection `access.denied` when the CSRF token is not this browser's */
export const requireBrowserCsrfToken = (page: Exchange): void => {
  if (comesFromElsewhere(page) || !page.tools.csrfTokens.isOf(page.cookies.get('continuo-form'), field(page, 'mark'))) throw refusedForm();
};

/** @throws Rejection `access.denied` when the CSRF token is not this session's */
export const requireSessionCsrfToken = (page: SignedExchange): void => {
  if (comesFromElsewhere(page) || !page.tools.csrfTokens.isOf(page.who.token, field(page, 'mark'))) throw refusedForm();
};

/** CSRF token for forms of a session. */
export const sessionCsrfToken = ({ tools, who }: SignedExchange): string => tools.csrfTokens.of(who.token);

/** True unless the session came from a proxy header and the request's header no longer names the same user. */
const isStillProxied = (page: Exchange, { caller }: WebCaller): boolean => {
  const name = proxiedName(page.tools.services, page.auth);
  return name !== undefined && usernameKey(name) === usernameKey(caller.account.username);
};

/**
 * The exchange with its session; undefined without one.
 * @throws Rejection `access.address`, `unavailable`
 */
export const signedIn = async (page: Exchange): Promise<SignedExchange | undefined> => {
  const { web } = page.tools.services.auth;
  const token = page.cookies.get('continuo');
  const who = token === undefined ? undefined : await web.caller(page.auth, token);
  if (!who) {
    // Delete a useless cookie: it would count as a failed attempt on every page.
    if (token !== undefined) page.cookies.clear('continuo');
    return undefined;
  }
  if (who.signIn.by === 'proxy' && !isStillProxied(page, who)) {
    await web.signOut(who.token);
    return undefined;
  }
  return { ...page, who, caller: who.caller };
};

const RETURN_WITHIN_S = 3600;

/** Notes that the sign-in began on the web page, also across a visit to the identity provider. */
export const noteReturn = ({ cookies }: Pick<Exchange, 'cookies'>): void => cookies.set('continuo-return', '1', RETURN_WITHIN_S);

/** Redirects after a sign-in: to the web page when it began there, else to the own account. */
export const goToBegin = (page: Exchange): FastifyReply => {
  if (page.cookies.get('continuo-return') === undefined) return goTo(page, 'me');
  page.cookies.clear('continuo-return');
  return goToWebPage(page);
};

/** Redirects to the web page, which lies one step above the account pages. */
export const goToWebPage = (page: Exchange): FastifyReply => goTo(page, '../');

/** Starts a session: ends the previous one of the browser and sets a new random token. */
export const startSession = async (page: Exchange, token: string): Promise<void> => {
  const before = page.cookies.get('continuo');
  if (before !== undefined) await page.tools.services.auth.web.signOut(before);
  page.cookies.set('continuo', token);
  page.cookies.clear('continuo-form');
};

/** Logins at an identity provider. */
export interface Provider {
  /** Display name. */
  readonly name: string;
  /** Redirects to the provider to sign in. @throws Rejection `unavailable` */
  begin(page: Exchange): Promise<FastifyReply>;
  /** Redirects to the provider to link the account with an identity. */
  beginLink(page: SignedExchange): Promise<FastifyReply>;
  /**
   * Handles the redirect back. @throws Rejection `auth.failed`, `access.denied`, `user.name-taken`, `user.identity-taken`, `access.address`,
   * `unavailable`
   */
  finish(page: Exchange): Promise<FastifyReply>;
  /** Ends the sessions of somebody who has signed out at the provider, which says so in a signed token. @throws Rejection `input.invalid`, `unavailable` */
  endSessions(page: Exchange): Promise<FastifyReply>;
  /** Address for signing out at the provider, for sessions that began there. */
  signOutUrl(signIn: WebSignIn): Promise<string | undefined>;
}
