import { sha256Hex } from '@continuo/chassis';
import { recoverPassword, Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { runCommand } from '../../commands.js';
import { textParam } from '../../http/parameters.js';
import {
  field,
  goTo,
  keepSession,
  leaveFor,
  passwordField,
  requireOwnForm,
  requireStrangerForm,
  show,
  signedIn,
  strangerMark,
  type Exchange,
} from '../exchange.js';
import type { Notice } from '../page-shell.js';
import { lostPasswordPage, noticePage, recoverPage, signInPage } from '../pages/sign-in.page.js';
import { proxiedAccount, proxiedName } from '../proxy-login.js';

const signInForm = (page: Exchange, more: { readonly username?: string; readonly notice?: Notice } = {}, status = 200): FastifyReply =>
  show(page, signInPage({ mark: strangerMark(page), providerName: page.tools.provider?.name, ...more }), status);

/** Signs in whom a trusted proxy names; false when it names nobody. @throws Rejection `auth.failed`, `access.address` */
export const signInByProxy = async (page: Exchange): Promise<boolean> => {
  const { services } = page.tools;
  const name = proxiedName(services, page.auth);
  if (name === undefined) return false;
  const userId = await proxiedAccount(services, page, name);
  const { token } = await services.auth.web.open(page.auth, userId, { by: 'proxy' });
  await keepSession(page, token);
  return true;
};

/** The sign-in page. Whoever is signed in already goes on, and so does whom a proxy names, unless they just signed out. */
export const showSignIn = async (page: Exchange): Promise<FastifyReply> => {
  if (textParam(page.params, 'out') !== undefined) return signInForm(page, { notice: { kind: 'good', text: 'You are signed out.' } });
  if ((await signedIn(page)) !== undefined || (await signInByProxy(page))) return goTo(page, 'me');
  return signInForm(page);
};

/** Signs in by name and password. Every refusal looks the same but for too many tries and the address. */
export const signIn = async (page: Exchange): Promise<FastifyReply> => {
  requireStrangerForm(page);
  const username = field(page, 'username').slice(0, 128);
  try {
    const { token } = await page.tools.services.auth.web.signIn(page.auth, { username, password: passwordField(page, 'password') });
    await keepSession(page, token);
    return goTo(page, 'me');
  } catch (error) {
    if (!(error instanceof Rejection) || (error.code !== 'auth.failed' && error.code !== 'auth.throttled')) throw error;
    return signInForm(page, { username, notice: { kind: 'bad', text: error.message } }, error.code === 'auth.throttled' ? 429 : 401);
  }
};

/** Signs out, here and, where the login came from there, at the identity provider. */
export const signOut = async (page: Exchange): Promise<FastifyReply> => {
  const signed = await signedIn(page);
  if (!signed) return goTo(page, 'login?out=1');
  requireOwnForm(signed);
  await page.tools.services.auth.web.signOut(signed.who.token);
  page.cookies.clear('continuo');
  const elsewhere = await page.tools.provider?.signOutUrl(signed.who.signIn);
  return elsewhere === undefined ? goTo(page, 'login?out=1') : leaveFor(page, elsewhere);
};

/** The page for whoever has lost a password. */
export const showLost = async (page: Exchange): Promise<FastifyReply> => show(page, lostPasswordPage(strangerMark(page)));

const SENT = 'If there is such an account, a mail is on its way.';

/** Asks for the mail that leads to another password. */
export const lost = async (page: Exchange): Promise<FastifyReply> => {
  requireStrangerForm(page);
  const { services } = page.tools;
  const username = field(page, 'username').slice(0, 128);
  await services.auth.admitStranger(page.auth, 'lost-password', username);
  const proof = sha256Hex(username + sha256Hex(field(page, 'email').slice(0, 255)));
  await runCommand(services, page, recoverPassword, { proof });
  return show(page, lostPasswordPage(strangerMark(page), { kind: 'good', text: SENT }));
};

/** The page to which such a mail leads. */
export const showRecover = async (page: Exchange): Promise<FastifyReply> =>
  show(page, recoverPage(strangerMark(page), (textParam(page.params, 'auth') ?? '').slice(0, 128)));

/** Takes the token of such a mail; the answer is the same for one that is no good. */
export const recover = async (page: Exchange): Promise<FastifyReply> => {
  requireStrangerForm(page);
  const { services } = page.tools;
  await services.auth.admitStranger(page.auth, 'lost-password');
  // Not a digest, which would be the proof of the other step.
  const token = field(page, 'token').slice(0, 128);
  if (/^\d+-/.test(token)) await runCommand(services, page, recoverPassword, { proof: token });
  return show(page, noticePage('A new password', 'If the token is still good, a new password is on its way to your mail address.', 'good'));
};
