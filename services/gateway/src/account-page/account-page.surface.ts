import cookie from '@fastify/cookie';
import { LocalArtStore } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { join } from 'node:path';
import { requireLevel } from '../auth/index.js';
import { textParam } from '../http/parameters.js';
import { asRejection, type Surface } from '../http/server.js';
import type { GatewayServices } from '../services.js';
import {
  accountActions,
  DONE,
  keepPicture,
  requireOwnAccount,
  showAccount,
  showPicture,
  type AccountAction,
} from './actions/account.actions.js';
import { lost, recover, showLost, showRecover, showSignIn, signIn, signInByProxy, signOut } from './actions/sign-in.actions.js';
import { showUsers, USERS_DONE, usersActions } from './actions/users.actions.js';
import { avatarMaker } from './avatars.js';
import { exchange, goTo, requireOwnForm, signedIn, type Exchange, type PageTools, type SignedExchange } from './exchange.js';
import { formTokens } from './form-tokens.js';
import { readUpload } from './upload.js';
import { checkLoginSettings } from './login-settings.js';
import type { Notice } from './page-shell.js';
import { noticePage } from './pages/sign-in.page.js';
import { providerOf } from './provider/provider.js';
import { guarded, sendPage } from './send-page.js';

const ADMINISTRATOR = 100;
const AVATAR_SIDE_PX = 512;

const toolsOf = (services: GatewayServices): PageTools => {
  const { config, log } = services;
  checkLoginSettings(config);
  const store = new LocalArtStore(join(config.CONTINUO_DATA, 'art'));
  return {
    services,
    tokens: formTokens(services.secrets),
    avatars: avatarMaker(store, { maxPixels: config.ART_MAX_INPUT_PIXELS, sidePx: AVATAR_SIDE_PX }),
    provider: providerOf(services, log),
  };
};

/** HTTP status of what is refused. */
const statusOf = ({ code }: Rejection): number => {
  if (code === 'access.address' || code === 'access.level' || code === 'access.denied') return 403;
  if (code === 'auth.failed') return 401;
  if (code === 'auth.throttled') return 429;
  if (code === 'input.too-large') return 413;
  if (code === 'user.not-found' || code === 'art.not-found') return 404;
  if (code === 'internal') return 500;
  return code === 'unavailable' ? 503 : 400;
};

/** What people are told. */
const wordsOf = ({ code, message }: Rejection, correlationId: string): string => {
  if (code === 'access.level') return 'Your account may not do that.';
  return code === 'internal' ? `Something went wrong (${correlationId}).` : message;
};

/** A notice that an address names. */
const noticeOf = (page: Exchange, texts: Readonly<Record<string, string>>): Notice | undefined => {
  const what = textParam(page.params, 'done') ?? '';
  const text = Object.hasOwn(texts, what) ? texts[what] : undefined;
  return text === undefined ? undefined : { kind: 'good', text };
};

type Page = (page: Exchange) => Promise<FastifyReply>;
type SignedPage = (page: SignedExchange) => Promise<FastifyReply>;

/** Lets in who is signed in, or whom a trusted proxy names; everybody else goes to the sign-in page. */
const forSignedIn =
  (show: SignedPage): Page =>
  async (page) => {
    const signed = await signedIn(page);
    if (signed) return show(signed);
    return goTo(page, (await signInByProxy(page)) ? 'me' : 'login');
  };

/** A form of somebody who is signed in. What is refused is said on the page that it was sent from. */
const formOf =
  (
    act: AccountAction,
    require: (page: SignedExchange) => void,
    again: (page: SignedExchange, refused: Rejection) => Promise<FastifyReply>,
  ): Page =>
  async (page) => {
    const signed = await signedIn(page);
    if (!signed) return goTo(page, 'login');
    requireOwnForm(signed);
    require(signed);
    try {
      return await act(signed);
    } catch (error) {
      const refused = asRejection(error, page.log);
      if (refused.code === 'internal' || refused.code === 'unavailable') throw refused;
      return again(signed, refused);
    }
  };

const ownAgain = (page: SignedExchange, refused: Rejection): Promise<FastifyReply> =>
  showAccount(page, { kind: 'bad', text: refused.message }, statusOf(refused));
const usersAgain = (page: SignedExchange, refused: Rejection): Promise<FastifyReply> =>
  showUsers(page, { notice: { kind: 'bad', text: refused.message }, status: statusOf(refused) });
const requireAdministrator = (page: SignedExchange): void => requireLevel(page.caller, ADMINISTRATOR);

const pages: Readonly<Record<string, Page>> = {
  me: forSignedIn((page) => showAccount(page, noticeOf(page, DONE))),
  avatar: forSignedIn(showPicture),
  users: forSignedIn((page) => {
    requireAdministrator(page);
    return showUsers(page, { notice: noticeOf(page, USERS_DONE) });
  }),
  login: showSignIn,
  lost: showLost,
  recover: showRecover,
};

const forms: Readonly<Record<string, Page>> = {
  login: signIn,
  logout: signOut,
  lost,
  recover,
  ...Object.fromEntries(Object.entries(accountActions).map(([name, act]) => [name, formOf(act, requireOwnAccount, ownAgain)])),
  ...Object.fromEntries(Object.entries(usersActions).map(([name, act]) => [name, formOf(act, requireAdministrator, usersAgain)])),
};

const routes = (app: FastifyInstance, tools: PageTools): void => {
  const on =
    (page: Page) =>
    (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      guarded(reply);
      return page(exchange(request, reply, tools));
    };
  app.get(
    '/account',
    on(async (page) => goTo(page, 'account/me')),
  );
  for (const [name, page] of Object.entries(pages)) app.get(`/account/${name}`, on(page));
  for (const [name, page] of Object.entries(forms)) app.post(`/account/${name}`, on(page));
  app.post('/account/picture', { config: { takesFiles: true } }, async (request, reply) => {
    guarded(reply);
    // Nobody else's files are read into memory.
    if (!(await signedIn(exchange(request, reply, tools)))) return goTo({ reply }, 'login');
    const { form, file } = await readUpload(request, tools.services.config.AVATAR_MAX_BYTES);
    const act: AccountAction = (page) => keepPicture(page, file);
    return formOf(act, requireOwnAccount, ownAgain)({ ...exchange(request, reply, tools), form });
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
  }
};

/**
 * `/account` and what is below it: signing in, one's own account, and the accounts of the server for administrators. The only part of the server with
 * cookies (threats.md row 12).
 */
export const accountPageSurface =
  (services: GatewayServices): Surface =>
  async (app: FastifyInstance) => {
    if (!services.config.ACCOUNT_PAGE) return;
    const tools = toolsOf(services);
    await app.register(async (scope) => {
      await scope.register(cookie);
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        return sendPage(reply.code(statusOf(refused)), noticePage('That did not work', wordsOf(refused, request.id)));
      });
      routes(scope, tools);
    });
  };
