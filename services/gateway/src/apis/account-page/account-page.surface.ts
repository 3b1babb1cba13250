import cookie from '@fastify/cookie';
import { Rejection } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { textParam } from '../../server/requests/parameters.js';
import { PAGE_BODY_BYTES } from '../../server/requests/request-bounds.js';
import { asRejection, type Surface } from '../../server/server.js';
import {
  accountActions,
  DONE,
  keepPicture,
  requireOwnAccount,
  showAccount,
  showPicture,
  type AccountAction,
} from './actions/account.actions.js';
import { sendBackup } from './actions/backup.actions.js';
import {
  sendResetMail,
  resetPassword,
  sendAccessToken,
  showLostPassword,
  setUp,
  showResetPassword,
  showSetup,
  showSignIn,
  signIn,
  signInByProxy,
  signOut,
} from './actions/sign-in.actions.js';
import {
  exchange,
  goTo,
  requireSessionCsrfToken,
  signedIn,
  type Exchange,
  type AccountPageServices,
  type Services,
  type SignedExchange,
} from './exchange.js';
import { csrfTokens } from './csrf-tokens.js';
import { readUpload } from './upload.js';
import { checkLoginSettings } from './login-settings.js';
import type { Notice } from './page-shell.js';
import { noticePage } from './pages/sign-in.page.js';
import { providerOf } from './provider/provider.js';
import { securityHeaders, sendPage } from './send-page.js';

const toolsOf = (services: Services): AccountPageServices => {
  const { config, log } = services;
  checkLoginSettings(config);
  return {
    services,
    csrfTokens: csrfTokens(services.secrets),
    provider: providerOf(services, log),
  };
};

/** HTTP status of a refusal. */
const statusOf = ({ code }: Rejection): number => {
  if (code === 'access.address' || code === 'access.level' || code === 'access.denied') return 403;
  if (code === 'auth.failed') return 401;
  if (code === 'auth.throttled') return 429;
  if (code === 'input.too-large') return 413;
  if (code === 'user.not-found' || code === 'art.not-found') return 404;
  if (code === 'internal') return 500;
  return code === 'unavailable' ? 503 : 400;
};

/** Message of a refusal for the user. */
const messageOf = ({ code, message }: Rejection, correlationId: string): string => {
  if (code === 'access.level') return 'Your account may not do that.';
  return code === 'internal' ? `Something went wrong (${correlationId}).` : message;
};

/** Notice named by the query string, out of a fixed list of texts. */
const noticeOf = (page: Exchange, texts: Readonly<Record<string, string>>): Notice | undefined => {
  const what = textParam(page.params, 'done') ?? '';
  const text = Object.hasOwn(texts, what) ? texts[what] : undefined;
  return text === undefined ? undefined : { kind: 'good', text };
};

type Page = (page: Exchange) => Promise<FastifyReply>;
type SignedPage = (page: SignedExchange) => Promise<FastifyReply>;

/** Requires a session or a user named by a trusted proxy; sends other clients to the sign-in page. */
const requireSignIn =
  (show: SignedPage): Page =>
  async (page) => {
    const signed = await signedIn(page);
    if (signed) return show(signed);
    return goTo(page, (await signInByProxy(page)) ? 'me' : 'login');
  };

/** Handles a form of a signed-in user; a refusal is shown on the page that sent the form. */
const formHandler =
  (act: AccountAction): Page =>
  async (page) => {
    const signed = await signedIn(page);
    if (!signed) return goTo(page, 'login');
    requireSessionCsrfToken(signed);
    await requireOwnAccount(signed);
    try {
      return await act(signed);
    } catch (error) {
      const refused = asRejection(error, page.log);
      if (refused.code === 'internal' || refused.code === 'unavailable') throw refused;
      return showAccount(signed, { kind: 'bad', text: refused.message }, statusOf(refused));
    }
  };

const pages: Readonly<Record<string, Page>> = {
  me: requireSignIn((page) => showAccount(page, noticeOf(page, DONE))),
  avatar: requireSignIn(showPicture),
  login: showSignIn,
  setup: showSetup,
  lost: showLostPassword,
  recover: showResetPassword,
};

const forms: Readonly<Record<string, Page>> = {
  login: signIn,
  setup: setUp,
  logout: signOut,
  token: sendAccessToken,
  backup: sendBackup,
  lost: sendResetMail,
  recover: resetPassword,
  ...Object.fromEntries(Object.entries(accountActions).map(([name, act]) => [name, formHandler(act)])),
};

const routes = (app: FastifyInstance, tools: AccountPageServices): void => {
  const on =
    (page: Page) =>
    (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      securityHeaders(reply);
      return page(exchange(request, reply, tools));
    };
  app.get(
    '/account',
    on(async (page) => goTo(page, 'account/me')),
  );
  for (const [name, page] of Object.entries(pages)) app.get(`/account/${name}`, on(page));
  for (const [name, page] of Object.entries(forms)) app.post(`/account/${name}`, { bodyLimit: PAGE_BODY_BYTES }, on(page));
  app.post('/account/picture', { config: { takesFiles: true } }, async (request, reply) => {
    securityHeaders(reply);
    // The upload is read into memory, so only for signed-in users.
    if (!(await signedIn(exchange(request, reply, tools)))) return goTo({ reply }, 'login');
    const { form, file } = await readUpload(request, tools.services.config.AVATAR_MAX_BYTES);
    const act: AccountAction = (page) => keepPicture(page, file);
    return formHandler(act)({ ...exchange(request, reply, tools), form });
  });
  if (tools.provider) {
    const { provider } = tools;
    app.get(
      '/account/provider',
      on((page) => provider.begin(page)),
    );
    app.get(
      '/account/provider-return',
      on((page) => provider.finish(page)),
    );
    app.post(
      '/account/provider-logout',
      { bodyLimit: PAGE_BODY_BYTES },
      on((page) => provider.endSessions(page)),
    );
  }
};

/**
 * `/account` and below: sign-in and the own account. The only part of the server that reads cookies.
 */
export const accountPageSurface =
  (services: Services): Surface =>
  async (app: FastifyInstance) => {
    if (!services.config.ACCOUNT_PAGE) return;
    const tools = toolsOf(services);
    await app.register(async (scope) => {
      await scope.register(cookie);
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        return sendPage(reply.code(statusOf(refused)), noticePage('That did not work', messageOf(refused, request.id)));
      });
      routes(scope, tools);
    });
  };
