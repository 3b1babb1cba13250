import { randomToken } from '@continuo/chassis';
import { Rejection, usernameKey } from '@continuo/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestParams, WebCaller } from '../auth/index.js';
import { textParam } from '../http/parameters.js';
import { requestContext, type CallerContext, type RequestContext } from '../http/request-context.js';
import type { GatewayServices } from '../services.js';
import type { AvatarMaker } from './avatars.js';
import { pageCookies, type PageCookies } from './cookies.js';
import type { FormTokens } from './form-tokens.js';
import type { Shell } from './page-shell.js';
import type { Provider } from './provider/provider.js';
import { proxiedName } from './proxy-login.js';
import { guarded, sendPage } from './send-page.js';

/** What the pages work with. */
export interface PageTools {
  readonly services: GatewayServices;
  readonly tokens: FormTokens;
  readonly avatars: AvatarMaker;
  /** The identity provider, where one is configured. */
  readonly provider: Provider | undefined;
}

/** One exchange with a browser, whoever is before it. */
export interface Exchange extends RequestContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly tools: PageTools;
  readonly cookies: PageCookies;
  /** What a form sent; never what stands in the address. */
  readonly form: RequestParams;
}

/** One exchange with somebody who is signed in. */
export interface SignedExchange extends Exchange, CallerContext {
  readonly who: WebCaller;
}

/** Opens an exchange. @throws Rejection `input.invalid` when a parameter holds a NUL character */
export const exchange = (request: FastifyRequest, reply: FastifyReply, tools: PageTools): Exchange => {
  const { config, log } = tools.services;
  const context = requestContext(request, { log, ...(config.PUBLIC_URL && { publicUrl: config.PUBLIC_URL }) });
  return {
    ...context,
    request,
    reply,
    tools,
    cookies: pageCookies(request, reply, config),
    form: request.method === 'POST' ? ((request.body as RequestParams | undefined) ?? {}) : {},
  };
};

/** Text that a form sent, without the blanks around it; empty when it sent none. */
export const field = ({ form }: Pick<Exchange, 'form'>, name: string): string => (textParam(form, name) ?? '').trim();

/** A password that a form sent, as it is. @throws Rejection `input.invalid` for one that is too long for any */
export const passwordField = ({ form }: Pick<Exchange, 'form'>, name: string): string => {
  const text = textParam(form, name) ?? '';
  if (text.length > 1024) throw new Rejection('input.invalid', 'A password has at most 1024 characters.', name);
  return text;
};

/**
 * Goes on to another of the pages. The address is one beside the present one, so that it is right behind a proxy that serves the whole under a folder, and
 * leads nowhere else.
 */
export const goTo = ({ reply }: Pick<Exchange, 'reply'>, page: string): FastifyReply =>
  guarded(reply).code(303).header('location', page).send();

/** Sends the browser to the identity provider; `url` is the provider's and never a request's. */
export const leaveFor = ({ reply }: Pick<Exchange, 'reply'>, url: string): FastifyReply =>
  guarded(reply).code(303).header('location', url).send();

/** Answers with a page. */
export const show = ({ reply, tools }: Exchange, shell: Shell, status = 200): FastifyReply =>
  sendPage(reply.code(status), shell, tools.provider?.formTargets() ?? []);

/** The mark for forms of a browser in which nobody is signed in; the browser gets a cookie that it stands for. */
export const strangerMark = ({ cookies, tools }: Exchange): string => {
  const known = cookies.get('continuo-form');
  const bearer = known !== undefined && /^[0-9a-f]{32}$/.test(known) ? known : randomToken();
  if (bearer !== known) cookies.set('continuo-form', bearer);
  return tools.tokens.of(bearer);
};

const refusedForm = (): Rejection =>
  new Rejection('access.denied', 'This form is out of date or did not come from this server. Load the page again.', 'form');

/** Browsers say where a form comes from; those that do not are judged by the mark alone. */
const comesFromElsewhere = ({ request }: Pick<Exchange, 'request'>): boolean => {
  const site = request.headers['sec-fetch-site'];
  return typeof site === 'string' && site !== 'same-origin';
};

/** @throws Rejection `access.denied` for a form that this server did not give to this browser */
export const requireStrangerForm = (page: Exchange): void => {
  if (comesFromElsewhere(page) || !page.tools.tokens.isOf(page.cookies.get('continuo-form'), field(page, 'mark'))) throw refusedForm();
};

/** @throws Rejection `access.denied` for a form that this server did not give to this session */
export const requireOwnForm = (page: SignedExchange): void => {
  if (comesFromElsewhere(page) || !page.tools.tokens.isOf(page.who.token, field(page, 'mark'))) throw refusedForm();
};

/** The mark for forms of a session. */
export const ownMark = ({ tools, who }: SignedExchange): string => tools.tokens.of(who.token);

/** True while a session that a proxy's header opened still comes with that header: who the proxy says somebody is may change at any time. */
const stillProxied = (page: Exchange, { caller }: WebCaller): boolean => {
  const name = proxiedName(page.tools.services, page.auth);
  return name !== undefined && usernameKey(name) === usernameKey(caller.account.username);
};

/**
 * Who is signed in in this browser; undefined when nobody is.
 * @throws Rejection `access.address`, `unavailable`
 */
export const signedIn = async (page: Exchange): Promise<SignedExchange | undefined> => {
  const { web } = page.tools.services.auth;
  const token = page.cookies.get('continuo');
  const who = token === undefined ? undefined : await web.caller(page.auth, token);
  if (!who) return undefined;
  if (who.signIn.by === 'proxy' && !stillProxied(page, who)) {
    await web.signOut(who.token);
    return undefined;
  }
  return { ...page, who, caller: who.caller };
};

/** Signs somebody in: the session that the browser had before is over, and its new one has a token that nobody has seen. */
export const keepSession = async (page: Exchange, token: string): Promise<void> => {
  const before = page.cookies.get('continuo');
  if (before !== undefined) await page.tools.services.auth.web.signOut(before);
  page.cookies.set('continuo', token);
  page.cookies.clear('continuo-form');
};
