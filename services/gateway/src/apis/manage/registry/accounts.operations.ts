import {
  changeUser,
  deleteUser,
  given,
  joinCatalogGroup,
  registerUser,
  Rejection,
  rolePreferences,
  setAvatar,
  setUserPreferences,
  userId,
  usernameKey,
  type AccountRole,
  type UserId,
} from '@continuo/contracts';
import { z } from 'zod';
import { requireEveryScope, type Caller } from '../../../auth/index.js';
import type { HasAuth } from '../../../auth/auth.js';
import type { HasAvatars } from '../../../features/media/avatars.js';
import type { HasPreferences } from '../../../preferences/preferences.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { managedAccountById, managedAccountsAfter, type ManagedAccount } from '../../../reads/people/managed-accounts.reads.js';
import { catalogGroups } from '../../../reads/visibility/catalog-groups.reads.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { PAGE_BODY_BYTES } from '../../../server/requests/request-bounds.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type AggregateName, type OperationCall } from '../operation.js';
import { badField } from '../problems.js';
import { account, accountView, level, newPassword, profileChange, roles, username } from '../schemas/account.schema.js';
import { id, idPath } from '../schemas/ids.js';

type Services = HasAuth & HasAvatars & HasCommands & HasConfig & HasPreferences & HasReadModel;
const { operation } = operationsUsing<Services>();
type Call = Pick<OperationCall<unknown, unknown, unknown, Services>, 'services' | 'request'>;

/** @throws Rejection `user.not-found` */
export const accountById = async ({ db }: HasReadModel, wanted: number): Promise<ManagedAccount> => {
  const found = await managedAccountById(db, wanted);
  if (!found) throw new Rejection('user.not-found');
  return found;
};

/** Times of last use and preferences, which account views show. */
const around = async ({ auth, preferences }: Services) => ({
  lastSeenAtMs: (id_: UserId) => auth.lastSeenAtMs(id_),
  preferences: await preferences.current(),
});

const shown = async ({ services }: Call, wanted: number) => accountView(await accountById(services, wanted), await around(services));

const MAX_BITRATE_BPS = 100_000_000;
const catalogGroupId = id.nullable().meta({ description: 'Group whose catalogs it sees; null: all catalogs' });

/** Largest picture that a body may hold, bytes; `AVATAR_MAX_BYTES` may allow less. */
const MAX_AVATAR_BYTES = 16 * 1024 * 1024;
const MAX_AVATAR_CHARS = Math.ceil(MAX_AVATAR_BYTES / 3) * 4;

const newAccount = profileChange
  .partial()
  .extend({
    username,
    password: newPassword.optional().meta({ description: 'Without one the account logs in by key or by an identity provider' }),
    playerPassword: newPassword.optional().meta({ description: 'Recoverable password for Subsonic players' }),
    level: level.default(25),
    disabled: z.boolean().default(false),
    catalogGroupId: catalogGroupId.optional(),
  })
  .meta({ id: 'NewAccount' });

const accountChange = profileChange
  .extend({
    level,
    disabled: z.boolean(),
    maxBitrateBps: z.int().min(1).max(MAX_BITRATE_BPS).nullable(),
    password: newPassword,
    playerPassword: newPassword,
    resetStreamToken: z.literal(true).meta({ description: 'Gives it a stream token, in place of the one before' }),
    catalogGroupId,
    roles,
    avatar: z.base64().max(MAX_AVATAR_CHARS).nullable().meta({ description: 'Picture: a JPEG, PNG, GIF or WebP file; null: none' }),
  })
  .partial()
  .meta({ id: 'AccountChange' });

/** @throws ManageProblem `input.invalid` for a group that is not there */
const requireGroup = async ({ services }: Call, wanted: number | null | undefined): Promise<void> => {
  if (typeof wanted !== 'number' || (await catalogGroups(services.db)).some((one) => one.id === wanted)) return;
  throw badField('/catalogGroupId', 'there is no such group');
};

const join = async ({ services, request }: Call, account_: number, group: number | null): Promise<void> => {
  await runCommand(services, request, joinCatalogGroup, { userId: userId.parse(account_), groupId: group });
};

const create = async (call: OperationCall<unknown, unknown, z.output<typeof newAccount>, Services>) => {
  const { services, request, body } = call;
  const { username: name, password, playerPassword, level: access, disabled, catalogGroupId: group, ...profile } = body;
  await requireGroup(call, group);
  const { fullName, email, fullNamePublic, ...more } = profile;
  const { userId: made } = await runAndAwaitReadModel(
    services,
    request,
    { command: registerUser },
    {
      username: name,
      access,
      disabled,
      ...given({ password, compatPassword: playerPassword, fullName: fullName || undefined, email: email || undefined, fullNamePublic }),
    },
  );
  if (Object.keys(more).length > 0) await runCommand(services, request, changeUser, { userId: made, ...more });
  if (typeof group === 'number') await join(call, made, group);
  return shown(call, made);
};

/** @throws Rejection `access.denied` for the account of the caller */
const requireOther = (caller: Caller, wanted: number): void => {
  if (caller.account.id === wanted) throw new Rejection('access.denied', 'nobody disables or deletes their own account');
};

/** @throws Rejection `input.too-large`; `input.invalid` for what is no picture */
const putAvatar = async ({ services, request }: Call, wanted: UserId, avatar: string | null): Promise<void> => {
  const bytes = avatar === null ? undefined : Buffer.from(avatar, 'base64');
  const most = services.config.AVATAR_MAX_BYTES;
  if (bytes && bytes.length > most) throw new Rejection('input.too-large', `a picture may have up to ${most} bytes`, 'avatar');
  await runCommand(services, request, setAvatar, { userId: wanted, artHash: bytes ? await services.avatars.keep(bytes) : null });
};

const setRoles = async ({ services, request }: Call, wanted: UserId, changed: z.output<typeof roles>): Promise<void> => {
  const values = Object.entries(changed).map(([role, isGiven]) => ({
    name: rolePreferences[role as AccountRole],
    value: isGiven ? '1' : '0',
  }));
  if (values.length === 0) return;
  await runCommand(services, request, setUserPreferences, { userId: wanted, values });
  services.preferences.noteChange();
};

const change = async (call: OperationCall<{ id: number }, unknown, z.output<typeof accountChange>, Services>) => {
  const { services, request, params, body } = call;
  const before = await accountById(services, params.id);
  if (body.disabled === true) requireOther(request.caller, before.id);
  const {
    catalogGroupId: group,
    level: access,
    playerPassword,
    maxBitrateBps,
    resetStreamToken,
    roles: changedRoles,
    avatar,
    ...rest
  } = body;
  const known = userId.parse(before.id);
  await requireGroup(call, group);
  const changes = {
    ...rest,
    ...given({ access, compatPassword: playerPassword, maxBitrateBps: maxBitrateBps === null ? 0 : maxBitrateBps }),
    ...(resetStreamToken ? { resetStreamToken } : {}),
  };
  if (Object.keys(changes).length > 0) await runCommand(services, request, changeUser, { userId: known, ...changes });
  if (changedRoles) await setRoles(call, known, changedRoles);
  if (avatar !== undefined) await putAvatar(call, known, avatar);
  if (group !== undefined && group !== before.catalogGroupId) await join(call, before.id, group);
  return shown(call, before.id);
};

const ownChange = profileChange
  .partial()
  .extend({
    password: newPassword.optional().meta({ description: 'Ends every session of the account' }),
    playerPassword: newPassword.optional().meta({ description: 'Recoverable password for Subsonic players' }),
    currentPassword: z.string().max(1024).optional().meta({ description: 'Needed for email, password and playerPassword' }),
  })
  .meta({ id: 'OwnAccountChange' });

/** @throws Rejection `access.scope`, `auth.failed`, `auth.throttled`, `access.denied` for accounts without a password */
const requireCurrentPassword = async ({ services, request }: Call, current: string | undefined): Promise<void> => {
  requireEveryScope(request.caller);
  const { web } = services.auth;
  const { id: own } = request.caller.account;
  if (!(await web.hasPassword(own))) throw new Rejection('access.denied', 'the account has no password; an administrator sets one');
  if (current === undefined) throw new Rejection('input.missing', 'the current password is needed for that', 'currentPassword');
  await web.confirm(request.auth, own, current).catch((error: unknown) => {
    if (!(error instanceof Rejection) || error.code !== 'auth.failed') throw error;
    throw new Rejection('input.invalid', 'this is not the password', 'currentPassword', { cause: error });
  });
};

const changeOwn = async (call: OperationCall<unknown, unknown, z.output<typeof ownChange>, Services>) => {
  const { services, request, body } = call;
  const { id: own } = request.caller.account;
  await accountById(services, own);
  const { currentPassword, playerPassword, ...rest } = body;
  const isGuarded = [body.email, body.password, playerPassword].some((one) => one !== undefined);
  if (isGuarded) await requireCurrentPassword(call, currentPassword);
  const changes = { ...rest, ...(playerPassword === undefined ? {} : { compatPassword: playerPassword }) };
  if (Object.keys(changes).length > 0) await runCommand(services, request, changeUser, { userId: own, ...changes });
  return shown(call, own);
};

const volatile = ['lastSeenAt'];

/** Profile, group and roles of an account. */
const aggregatesOf = (account_: number): readonly AggregateName[] => [
  ['identity', 'user', account_],
  ['social', 'catalog-groups', 1],
  ['social', 'user-preferences', account_],
];

/** Operations on accounts: all of them, and one’s own. */
export const accountOperations = {
  listAccounts: operation({
    method: 'GET',
    path: '/accounts',
    family: 'accounts',
    access: 'read',
    summary: 'Lists accounts by name',
    query: pageQuery.extend({ startsWith: z.string().max(128).optional().meta({ description: 'Beginning of the name, in any case' }) }),
    answer: pageOf(account),
    run: async ({ query, services }) => {
      const after = readCursor(z.string(), query.cursor) ?? '';
      const filter = { after, prefix: usernameKey(query.startsWith ?? ''), limit: rowsOfPage(query) };
      const page = cutPage(await managedAccountsAfter(services.db, filter), query, (row) => row.usernameKey);
      const beside = await around(services);
      return { ...page, items: page.items.map((row) => accountView(row, beside)) };
    },
  }),
  getAccount: operation({
    method: 'GET',
    path: '/accounts/{id}',
    family: 'accounts',
    access: 'read',
    summary: 'Answers an account',
    params: idPath,
    answer: account,
    errors: ['user.not-found'],
    volatile,
    aggregates: async ({ params }) => aggregatesOf(params.id),
    run: (call) => shown(call, call.params.id),
  }),
  createAccount: operation({
    method: 'POST',
    path: '/accounts',
    family: 'accounts',
    access: 'write',
    summary: 'Makes an account',
    body: newAccount,
    answer: account,
    status: 201,
    errors: ['user.name-taken', 'user.email-taken'],
    volatile,
    locate: (made) => `/accounts/${made.id}`,
    run: create,
  }),
  changeAccount: operation({
    method: 'PATCH',
    path: '/accounts/{id}',
    family: 'accounts',
    access: 'write',
    summary: 'Changes what is named of an account',
    params: idPath,
    body: accountChange,
    bodyBytes: MAX_AVATAR_CHARS + PAGE_BODY_BYTES,
    answer: account,
    errors: ['user.not-found', 'user.email-taken', 'user.last-administrator', 'access.denied', 'input.too-large'],
    volatile,
    run: change,
  }),
  deleteAccount: operation({
    method: 'DELETE',
    path: '/accounts/{id}',
    family: 'accounts',
    access: 'write',
    summary: 'Deletes an account for good, with its personal data',
    params: idPath,
    errors: ['user.not-found', 'user.last-administrator', 'access.denied'],
    run: async ({ params, services, request }) => {
      const { id: known } = await accountById(services, params.id);
      requireOther(request.caller, known);
      await runCommand(services, request, deleteUser, { userId: userId.parse(known) });
    },
  }),
  getOwnAccount: operation({
    method: 'GET',
    path: '/account',
    family: 'account',
    access: 'read',
    level: 5,
    summary: 'Answers one’s own account',
    answer: account,
    errors: ['user.not-found'],
    volatile,
    aggregates: async ({ request }) => aggregatesOf(request.caller.account.id),
    run: (call) => shown(call, call.request.caller.account.id),
  }),
  changeOwnAccount: operation({
    method: 'PATCH',
    path: '/account',
    family: 'account',
    access: 'write',
    level: 25,
    summary: 'Changes one’s own profile, mail address and passwords',
    body: ownChange,
    answer: account,
    errors: ['user.not-found', 'user.email-taken', 'access.denied'],
    volatile,
    run: changeOwn,
  }),
};
