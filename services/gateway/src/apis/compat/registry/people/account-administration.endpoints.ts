import {
  changeUser,
  deleteUser,
  emailAddress,
  joinCatalogGroup,
  registerUser,
  Rejection,
  rolePreferences,
  setUserPreferences,
  userId,
  usernameKey,
  type AccessLevel,
  type AccountRole,
  type CatalogId,
  type UserId,
} from '@continuo/contracts';
import { plainPassword } from '../../../../auth/compat-auth.js';
import { requireEveryScope } from '../../../../auth/index.js';
import { runAndAwaitReadModel, runCommand } from '../../../../server/commands.js';
import { sendAvatar } from '../../../../features/media/send-art.js';
import { accountNamed, type AccountRecord } from '../../../../reads/people/account-list.reads.js';
import { avatarNamed } from '../../../../reads/art/avatars.reads.js';
import { CompatError } from '../../errors.js';
import { catalogsOfFolderIds, groupOfCatalogs } from '../../folder-groups.js';
import { optionalFlag, optionalInt, optionalText, requiredText, textList } from '../../parameters.js';
import { rolesOf } from '../../roles.js';
import { endpointsUsing, administrators, anybody, type Call, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasArt } from '../../../../features/media/art-images.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasArt & HasCommands & HasConfig & HasReadModel & HasPreferences;
const { action, binary } = endpointsUsing<Services>();

const ADMINISTRATOR = 100;
const CATALOG_MANAGER = 75;
const USER = 25;

/** Allowed bitrate limits, kbit/s; 0 means none (Subsonic API, `updateUser`). */
const BITRATES_KBPS: ReadonlySet<number> = new Set([0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]);

/** Role flags. Two of them determine the access level; every other one is stored as given or taken role. */
const roleFlags = {
  adminRole: optionalFlag,
  coverArtRole: optionalFlag,
  settingsRole: optionalFlag,
  streamRole: optionalFlag,
  jukeboxRole: optionalFlag,
  downloadRole: optionalFlag,
  uploadRole: optionalFlag,
  playlistRole: optionalFlag,
  commentRole: optionalFlag,
  podcastRole: optionalFlag,
  shareRole: optionalFlag,
  videoConversionRole: optionalFlag,
  ldapAuthenticated: optionalFlag,
} as const;
type RoleFlags = Readonly<Record<keyof typeof roleFlags, boolean | undefined>>;

/** Access level of the flags; undefined when they do not change it. */
const levelOf = ({ adminRole, coverArtRole }: Pick<RoleFlags, 'adminRole' | 'coverArtRole'>, before: number): AccessLevel | undefined => {
  if (adminRole === true) return ADMINISTRATOR;
  if (adminRole === undefined && before === ADMINISTRATOR) return undefined;
  if (coverArtRole === true) return CATALOG_MANAGER;
  if (before === ADMINISTRATOR) return USER;
  return coverArtRole === false && before === CATALOG_MANAGER ? USER : undefined;
};

const addressOf = (text: string): string => {
  const parsed = emailAddress.safeParse(text);
  if (!parsed.success) throw new CompatError(10, 'The parameter email is no mail address');
  return parsed.data;
};

const nameOf = (text: string): string => {
  const name = text.trim();
  if (name === '' || name.length > 128 || /\p{C}/u.test(name) || /^\d+$/.test(name))
    throw new CompatError(10, 'This cannot be a user name');
  return name;
};

const passwordOf = (text: string): string => {
  const password = plainPassword(text);
  if (password.length > 1024) throw new CompatError(10, 'The password is too long');
  return password;
};

/** Rejects LDAP accounts: no directory could check their password. */
const rejectLdap = ({ ldapAuthenticated }: Pick<RoleFlags, 'ldapAuthenticated'>): void => {
  if (ldapAuthenticated) throw new CompatError(0, 'This server asks no directory (LDAP) for passwords');
};

/** Limits an account to some music folders; without any nothing changes. */
const setVisibleFolders = async (
  { services, context }: UserCallBase<Services>,
  id: UserId,
  folders: readonly CatalogId[],
): Promise<void> => {
  if (folders.length === 0) return;
  await runCommand(services, context, joinCatalogGroup, { userId: id, groupId: await groupOfCatalogs({ services, context }, folders) });
};

/** Stores roles that flags give or take; absent flags change nothing. */
const setRoles = async ({ services, context }: UserCallBase<Services>, id: UserId, flags: RoleFlags): Promise<void> => {
  const values = (Object.keys(rolePreferences) as AccountRole[]).flatMap((role) => {
    const flag = flags[`${role}Role`];
    return flag === undefined ? [] : [{ name: rolePreferences[role], value: flag ? '1' : '0' }];
  });
  if (values.length === 0) return;
  await runCommand(services, context, setUserPreferences, { userId: id, values });
  services.preferences.noteChange();
};

const accountOf = async (services: Services, username: string): Promise<AccountRecord & { readonly userId: UserId }> => {
  const account = await accountNamed(services.db, username);
  if (!account) throw new Rejection('user.not-found');
  return { ...account, userId: userId.parse(account.id) };
};

/** Requires the caller's own name, or an administrator, so that usernames cannot be probed. */
const requireOwnOrAdministrator = (call: Pick<Call<unknown, Services>, 'context'>, username: string): void => {
  const { account } = call.context.caller;
  const own = usernameKey(username) === usernameKey(account.username);
  if (!own && account.access < administrators.level)
    throw new Rejection('access.denied', 'Only administrators may do that for other accounts');
};

/** Operations that create, change and delete accounts. */
export const accountAdministrationEndpoints = {
  /** The password is valid for every API. */
  createUser: action({
    access: administrators,
    params: { username: requiredText, password: requiredText, email: requiredText, ...roleFlags, musicFolderId: textList },
    act: async (call) => {
      const { params, services, context } = call;
      rejectLdap(params);
      const folders = await catalogsOfFolderIds(call, params.musicFolderId);
      const password = passwordOf(params.password);
      const access = levelOf(params, USER) ?? USER;
      const account = { username: nameOf(params.username), email: addressOf(params.email), password, compatPassword: password, access };
      const { userId: id } = await runAndAwaitReadModel(services, context, { command: registerUser }, account);
      await setRoles(call, id, params);
      await setVisibleFolders(call, id, folders);
    },
  }),

  updateUser: action({
    access: administrators,
    params: {
      username: requiredText,
      password: optionalText,
      email: optionalText,
      ...roleFlags,
      maxBitRate: optionalInt,
      musicFolderId: textList,
    },
    act: async (call) => {
      const { params, services, context } = call;
      rejectLdap(params);
      const folders = await catalogsOfFolderIds(call, params.musicFolderId);
      const { password, email, maxBitRate } = params;
      if (maxBitRate !== undefined && !BITRATES_KBPS.has(maxBitRate)) throw new CompatError(10, 'The parameter maxBitRate cannot be that');
      const account = await accountOf(services, params.username);
      const access = levelOf(params, account.access);
      await runCommand(services, context, changeUser, {
        userId: account.userId,
        ...(access === undefined ? {} : { access }),
        ...(password === undefined ? {} : { compatPassword: passwordOf(password) }),
        ...(email === undefined ? {} : { email: addressOf(email) }),
        ...(maxBitRate === undefined ? {} : { maxBitrateBps: maxBitRate * 1000 }),
      });
      await setRoles(call, account.userId, params);
      await setVisibleFolders(call, account.userId, folders);
    },
  }),

  deleteUser: action({
    access: administrators,
    params: { username: requiredText },
    act: async ({ params, services, context }) => {
      const account = await accountOf(services, params.username);
      if (account.id === context.caller.account.id) throw new Rejection('access.denied', 'Nobody deletes their own account');
      if (account.access >= ADMINISTRATOR)
        throw new Rejection('access.denied', 'Administrators cannot be deleted; take the role away first');
      await runCommand(services, context, deleteUser, { userId: account.userId });
    },
  }),

  /** Sets the password of this API; the login password of the others stays. */
  changePassword: action({
    access: anybody,
    params: { username: requiredText, password: requiredText },
    act: async (call) => {
      const { params, services, context } = call;
      if (!rolesOf(call, context.caller.account).settings) throw new CompatError(50, 'This account lacks the role settings');
      requireEveryScope(context.caller);
      requireOwnOrAdministrator(call, params.username);
      const { userId: id } = await accountOf(services, params.username);
      await runCommand(services, context, changeUser, { userId: id, compatPassword: passwordOf(params.password) });
    },
  }),

  getAvatar: binary({
    access: anybody,
    params: { username: requiredText },
    send: async (call, http) => {
      requireOwnOrAdministrator(call, call.params.username);
      const hash = await avatarNamed(call.services.db, call.params.username);
      if (hash === undefined) throw new Rejection('user.not-found');
      return sendAvatar(http, call.services, { hash });
    },
  }),
} as const;
