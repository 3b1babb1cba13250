import {
  accessLevel,
  changeUser,
  disableUser,
  enableUser,
  issueApiKey,
  registerUser,
  Rejection,
  userId,
  type UserId,
} from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { runCommand } from '../../../server/commands.js';
import { textParam } from '../../../server/requests/parameters.js';
import { accountsAfter } from '../../../reads/people/account-page.reads.js';
import { usersByIds, type UserView } from '../../../reads/people/users.reads.js';
import { field, goTo, sessionCsrfToken, passwordField, show, type SignedExchange } from '../exchange.js';
import { accountName, chosenPassword, mailAddress, shortText } from '../input.js';
import type { Notice } from '../page-shell.js';
import { usersPage, type UsersPage } from '../pages/users.page.js';
import type { AccountAction } from './account.actions.js';

const PAGE_LENGTH = 50;

/** Success notices by key. */
export const USERS_DONE: Readonly<Record<string, string>> = {
  'user-create': 'The account is made.',
  'user-disable': 'The account is disabled, its sessions have ended.',
  'user-enable': 'The account is enabled.',
  'user-stream-token': 'The account has a new stream token; its owner is shown it on the own page.',
};

/** Shows the list of accounts. */
export const showUsers = async (
  page: SignedExchange,
  more: { readonly newKey?: UsersPage['newKey']; readonly notice?: Notice | undefined; readonly status?: number } = {},
): Promise<FastifyReply> => {
  const { services } = page.tools;
  const [start, after] = ['start', 'after'].map((name) => (textParam(page.params, name) ?? '').slice(0, 128)) as [string, string];
  const accounts = await accountsAfter(services.db, { start, after, limit: PAGE_LENGTH + 1 });
  const shown = accounts.slice(0, PAGE_LENGTH);
  const shell = usersPage({
    csrfToken: sessionCsrfToken(page),
    ownId: page.caller.account.id,
    accounts: shown,
    start,
    next: accounts.length > PAGE_LENGTH ? shown.at(-1)?.usernameKey : undefined,
    lastSeenAtMs: (id) => services.auth.lastSeenAtMs(userId.parse(id)),
    newKey: more.newKey,
    notice: more.notice,
  });
  return show(page, shell, more.status);
};

const done = (page: SignedExchange, what: string): FastifyReply => goTo(page, `users?done=${what}`);

const named = async (page: SignedExchange): Promise<UserView & { readonly userId: UserId }> => {
  const text = field(page, 'user');
  const [user] = /^[1-9]\d{0,8}$/.test(text) ? await usersByIds(page.tools.services.db, [Number(text)]) : [];
  if (!user) throw new Rejection('user.not-found');
  return { ...user, userId: userId.parse(user.id) };
};

const create: AccountAction = async (page) => {
  const level = accessLevel.safeParse(Number(field(page, 'access')));
  if (!level.success) throw new Rejection('input.invalid', 'There is no such level.', 'access');
  const email = mailAddress(field(page, 'email'));
  const fullName = shortText(field(page, 'fullname'), 'full name');
  await runCommand(page.tools.services, page, registerUser, {
    username: accountName(field(page, 'username')),
    password: chosenPassword(passwordField(page, 'password'), passwordField(page, 'again')),
    access: level.data,
    ...(email === '' ? {} : { email }),
    ...(fullName === '' ? {} : { fullName }),
  });
  return done(page, 'user-create');
};

const disable: AccountAction = async (page) => {
  const user = await named(page);
  if (user.id === page.caller.account.id) throw new Rejection('access.denied', 'Nobody disables their own account.');
  await runCommand(page.tools.services, page, disableUser, { userId: user.userId });
  return done(page, 'user-disable');
};

const enable: AccountAction = async (page) => {
  await runCommand(page.tools.services, page, enableUser, { userId: (await named(page)).userId });
  return done(page, 'user-enable');
};

/** Creates an API key; it is shown once, in this answer. */
const newKey: AccountAction = async (page) => {
  const user = await named(page);
  const name = shortText(field(page, 'name'), 'name').slice(0, 128);
  if (name === '') throw new Rejection('input.invalid', 'A key needs a name.', 'name');
  const { key } = await runCommand(page.tools.services, page, issueApiKey, { userId: user.userId, name });
  return showUsers(page, { newKey: { username: user.username, name, key } });
};

const newStreamToken: AccountAction = async (page) => {
  await runCommand(page.tools.services, page, changeUser, { userId: (await named(page)).userId, resetStreamToken: true });
  return done(page, 'user-stream-token');
};

/** Form handlers of the list of accounts, by path; administrators only. */
export const usersActions: Readonly<Record<string, AccountAction>> = {
  'user-create': create,
  'user-disable': disable,
  'user-enable': enable,
  'user-key': newKey,
  'user-stream-token': newStreamToken,
};
