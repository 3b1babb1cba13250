import { sha256Hex } from '@continuo/chassis';
import { changeUser, recoverPassword, Rejection, type UserId } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { Account } from '../../../auth/auth.js';
import { requireLevel } from '../../../auth/index.js';
import { runCommand } from '../../../server/commands.js';
import { textParam } from '../../../server/requests/parameters.js';
import {
  field,
  goTo,
  goToBegin,
  goToWebPage,
  noteReturn,
  requireSameOrigin,
  sessionCsrfToken,
  startSession,
  redirectToProvider,
  passwordField,
  requireSessionCsrfToken,
  requireBrowserCsrfToken,
  show,
  signedIn,
  browserCsrfToken,
  type Exchange,
} from '../exchange.js';
import { accountName, chosenPassword } from '../input.js';
import type { Notice } from '../page-shell.js';
import { lostPasswordPage, noticePage, recoverPage, setupPage, signInPage } from '../pages/sign-in.page.js';
import { proxiedAccount, proxiedName } from '../proxy-login.js';

/** The account that the first start makes. */
const FIRST_ACCOUNT = 1 as UserId;
const USER = 25;
const ADMINISTRATOR = 100;

const isNewServer = ({ tools }: Exchange): boolean => tools.services.auth.lastSeenAtMs(FIRST_ACCOUNT) === undefined;

const signInForm = (page: Exchange, more: { readonly username?: string; readonly notice?: Notice } = {}, status = 200): FastifyReply =>
  show(
    page,
    signInPage({
      csrfToken: browserCsrfToken(page),
      providerName: page.tools.provider?.name,
      isNew: isNewServer(page),
      ...more,
    }),
    status,
  );

/** Signs in the user named by a trusted proxy; false when it names none. @throws Rejection `auth.failed`, `access.address` */
export const signInByProxy = async (page: Exchange): Promise<boolean> => {
  const { services } = page.tools;
  const name = proxiedName(services, page.auth);
  if (name === undefined) return false;
  const userId = await proxiedAccount(services, page, name);
  const { token } = await services.auth.web.open(page.auth, userId, { by: 'proxy' });
  await startSession(page, token);
  return true;
};

/** Shows the sign-in page. Redirects when a session exists or a proxy names the user, unless they just signed out. */
export const showSignIn = async (page: Exchange): Promise<FastifyReply> => {
  const fromWebPage = textParam(page.params, 'return') !== undefined;
  if (textParam(page.params, 'out') !== undefined) {
    if (fromWebPage) noteReturn(page);
    return signInForm(page, { notice: { kind: 'good', text: 'You are signed out.' } });
  }
  if ((await signedIn(page)) !== undefined || (await signInByProxy(page))) return fromWebPage ? goToWebPage(page) : goToBegin(page);
  if (fromWebPage) noteReturn(page);
  return signInForm(page);
};

/** Signs in by name and password. Refusals look alike except for throttling and the address list. */
export const signIn = async (page: Exchange): Promise<FastifyReply> => {
  requireBrowserCsrfToken(page);
  const username = field(page, 'username').slice(0, 128);
  try {
    const { token } = await page.tools.services.auth.web.signIn(page.auth, { username, password: passwordField(page, 'password') });
    await startSession(page, token);
    return goToBegin(page);
  } catch (error) {
    if (!(error instanceof Rejection) || (error.code !== 'auth.failed' && error.code !== 'auth.throttled')) throw error;
    return signInForm(page, { username, notice: { kind: 'bad', text: error.message } }, error.code === 'auth.throttled' ? 429 : 401);
  }
};

const setupForm = (page: Exchange, notice?: Notice, status = 200): FastifyReply => {
  const given = (name: string): string => field(page, name) || (textParam(page.params, name) ?? '');
  const [username, code] = [given('username').slice(0, 128), given('code').slice(0, 128)];
  const entered = field(page, 'name').slice(0, 128);
  // The code proves who it is only once it is sent; signing in with it makes the server no longer new.
  const name = entered !== '' || isNewServer(page) ? entered || username : undefined;
  return show(page, setupPage({ csrfToken: browserCsrfToken(page), username, name, code, notice }), status);
};

/** Shows the form that sets the password of an account that was made with a code; the link to it fills in both. */
export const showSetup = async (page: Exchange): Promise<FastifyReply> => setupForm(page);

/** The name that the first administrator chooses; undefined keeps the one that the account has. @throws Rejection `input.invalid`, for others, too */
const chosenName = (page: Exchange, { id, username }: Account): string | undefined => {
  const entered = field(page, 'name');
  if (entered === '' || entered === username) return undefined;
  if (id !== FIRST_ACCOUNT) throw new Rejection('input.invalid', 'Only the first administrator chooses another name here.', 'name');
  return accountName(entered);
};

/**
 * Replaces the password that an account was made with, that for players included, by a chosen one, and the name of the first administrator.
 * @returns token of the session that begins; all others of the account end
 * @throws Rejection `auth.failed`, `auth.throttled`, `access.address`, `input.invalid`, `user.name-taken`, `access.level` for guests, who share their account
 */
const takeUp = async (page: Exchange): Promise<{ readonly token: string; readonly isAdministrator: boolean }> => {
  const { services } = page.tools;
  const { web } = services.auth;
  const [code, password] = [field(page, 'code'), chosenPassword(passwordField(page, 'password'), passwordField(page, 'again'))];
  if (password === code) throw new Rejection('input.invalid', 'The password has to be another than the code.', 'password');
  const proven = await web.signIn(page.auth, { username: field(page, 'username').slice(0, 128), password: code });
  try {
    const who = await web.caller(page.auth, proven.token);
    if (!who) throw new Rejection('unavailable', 'the session that was opened is not there yet');
    const { caller } = who;
    requireLevel(caller, USER);
    const { id: userId, access } = caller.account;
    const username = chosenName(page, caller.account);
    const changes = { userId, password, compatPassword: password, ...(username === undefined ? {} : { username }) };
    await runCommand(services, { ...page, caller }, changeUser, changes);
    const { token } = await web.open(page.auth, userId, { by: 'password' });
    return { token, isAdministrator: access >= ADMINISTRATOR };
  } finally {
    await web.signOut(proven.token);
  }
};

const SHOWN_AGAIN = { 'auth.failed': 401, 'auth.throttled': 429, 'input.invalid': 400, 'user.name-taken': 409 } as const;

/**
 * Sets the first password of an account, with the name of the first administrator, and signs in: administrators go on with the first steps of their server. Wrong codes
 * count as failed logins.
 */
export const setUp = async (page: Exchange): Promise<FastifyReply> => {
  requireBrowserCsrfToken(page);
  try {
    const { token, isAdministrator } = await takeUp(page);
    await startSession(page, token);
    return goTo(page, isAdministrator ? '../#/manage/welcome' : '../');
  } catch (error) {
    if (!(error instanceof Rejection) || !(error.code in SHOWN_AGAIN)) throw error;
    return setupForm(page, { kind: 'bad', text: error.message }, SHOWN_AGAIN[error.code as keyof typeof SHOWN_AGAIN]);
  }
};

/** Signs out here and, for sessions that began there, at the identity provider. Who signs in next comes back to the web page when `return` says that it was left. */
export const signOut = async (page: Exchange): Promise<FastifyReply> => {
  const signed = await signedIn(page);
  if (!signed) return goTo(page, 'login?out=1');
  requireSessionCsrfToken(signed);
  await page.tools.services.auth.web.signOut(signed.who.token);
  page.cookies.clear('continuo');
  const elsewhere = await page.tools.provider?.signOutUrl(signed.who.signIn);
  if (elsewhere !== undefined) return redirectToProvider(page, elsewhere);
  return goTo(page, field(page, 'return') === '' ? 'login?out=1' : 'login?out=1&return=1');
};

/**
 * Sends an access token for the web page: `token` calls the APIs until `expires_at_ms`, `csrf_token` goes with the form that signs out. 401 when nobody is signed in:
 * the sign-in page, which may know the user by a proxy, is next.
 */
export const sendAccessToken = async (page: Exchange): Promise<FastifyReply> => {
  requireSameOrigin(page);
  const signed = await signedIn(page);
  if (!signed) return page.reply.code(401).send({ error: 'Nobody is signed in.' });
  const { token, expiresAtMs } = page.tools.services.auth.web.accessToken(signed.who.token);
  return page.reply.send({ token, expires_at_ms: expiresAtMs, csrf_token: sessionCsrfToken(signed) });
};

/** Shows the form that requests a password-reset mail. */
export const showLostPassword = async (page: Exchange): Promise<FastifyReply> => show(page, lostPasswordPage(browserCsrfToken(page)));

const SENT = 'If there is such an account, a mail is on its way.';

/** Sends a password-reset mail. */
export const sendResetMail = async (page: Exchange): Promise<FastifyReply> => {
  requireBrowserCsrfToken(page);
  const { services } = page.tools;
  const username = field(page, 'username').slice(0, 128);
  await services.auth.limitUnauthenticated(page.auth, 'lost-password', username);
  const proof = sha256Hex(username + sha256Hex(field(page, 'email').slice(0, 255)));
  await runCommand(services, page, recoverPassword, { proof });
  return show(page, lostPasswordPage(browserCsrfToken(page), { kind: 'good', text: SENT }));
};

/** Shows the page that the reset mail links to. */
export const showResetPassword = async (page: Exchange): Promise<FastifyReply> =>
  show(page, recoverPage(browserCsrfToken(page), (textParam(page.params, 'auth') ?? '').slice(0, 128)));

/** Resets the password with the token of the mail; the answer is the same for an invalid token. */
export const resetPassword = async (page: Exchange): Promise<FastifyReply> => {
  requireBrowserCsrfToken(page);
  const { services } = page.tools;
  await services.auth.limitUnauthenticated(page.auth, 'lost-password');
  // Only a token: a digest is the proof of the other step.
  const token = field(page, 'token').slice(0, 128);
  if (/^\d+-/.test(token)) await runCommand(services, page, recoverPassword, { proof: token });
  return show(page, noticePage('A new password', 'If the token is still good, a new password is on its way to your mail address.', 'good'));
};
