import {
  changeUser,
  deleteUser,
  emailAddress,
  registerUser,
  Rejection,
  userId,
  usernameKey,
  type AccessLevel,
  type UserId,
} from '@continuo/contracts';
import { plainPassword } from '../../auth/compat-auth.js';
import { runCommand } from '../../commands.js';
import { sendAvatar } from '../../media/send-art.js';
import { accountNamed, type AccountRecord } from '../../reads/account-list.reads.js';
import { avatarNamed } from '../../reads/avatars.reads.js';
import { CompatError } from '../errors.js';
import { optionalFlag, optionalInt, optionalText, requiredText, textList } from '../parameters.js';
import { rolesOf } from '../roles.js';
import { action, administrators, anybody, binary, type Call, type CompatServices } from './endpoint.js';

const ADMINISTRATOR = 100;
const CATALOG_MANAGER = 75;
const USER = 25;

/** Bit rates that may be a limit, kbit/s; 0 is none (Subsonic API, updateUser). */
const BITRATES_KBPS: ReadonlySet<number> = new Set([0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]);

/**
 * Levels are made of two of the flags. The others follow from the level, from preferences and from what the server has (compat facts, section 8.10):
 * they are read, since clients send all of them, and cannot be given or taken singly.
 */
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
interface RoleFlags {
  readonly adminRole: boolean | undefined;
  readonly coverArtRole: boolean | undefined;
}

/** The level that the flags ask for; undefined when they say nothing about the one that is. */
const levelOf = ({ adminRole, coverArtRole }: RoleFlags, before: number): AccessLevel | undefined => {
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

/**
 * Refuses what would leave an account with more than was asked for: folders are limited by groups of catalogs, which this protocol does not know, and
 * there is no directory that could check a password.
 */
const refuseUnkept = ({
  musicFolderId,
  ldapAuthenticated,
}: {
  readonly musicFolderId: readonly string[];
  readonly ldapAuthenticated: boolean | undefined;
}): void => {
  if (ldapAuthenticated) throw new CompatError(0, 'This server asks no directory (LDAP) for passwords');
  if (musicFolderId.length > 0) throw new CompatError(0, 'Folders of an account are limited by its group of catalogs, not over this API');
};

const accountOf = async (services: CompatServices, username: string): Promise<AccountRecord & { readonly userId: UserId }> => {
  const account = await accountNamed(services.db, username);
  if (!account) throw new Rejection('user.not-found');
  return { ...account, userId: userId.parse(account.id) };
};

/** The account that a caller names: their own, or anybody's for an administrator. Others learn nothing of who exists. */
const ownOrAny = (call: Pick<Call<unknown>, 'context'>, username: string): void => {
  const { account } = call.context.caller;
  const own = usernameKey(username) === usernameKey(account.username);
  if (!own && account.access < administrators.level)
    throw new Rejection('access.denied', 'Only administrators may do that for other accounts');
};

/** Operations that make, change and remove accounts. */
export const accountAdministrationEndpoints = {
  /** The password opens every API: there is no other that this caller could know. */
  createUser: action({
    access: administrators,
    params: { username: requiredText, password: requiredText, email: requiredText, ...roleFlags, musicFolderId: textList },
    act: async ({ params, services, context }) => {
      refuseUnkept(params);
      const password = passwordOf(params.password);
      const access = levelOf(params, USER) ?? USER;
      const account = { username: nameOf(params.username), email: addressOf(params.email), password, compatPassword: password, access };
      await runCommand(services, context, registerUser, account);
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
    act: async ({ params, services, context }) => {
      refuseUnkept(params);
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

  /** Sets the password of this API; the login password of the others stays (service description part 5.3). */
  changePassword: action({
    access: anybody,
    params: { username: requiredText, password: requiredText },
    act: async (call) => {
      const { params, services, context } = call;
      if (!rolesOf(context.caller.account).settings) throw new CompatError(50, 'This account lacks the role settings');
      ownOrAny(call, params.username);
      const { userId: id } = await accountOf(services, params.username);
      await runCommand(services, context, changeUser, { userId: id, compatPassword: passwordOf(params.password) });
    },
  }),

  getAvatar: binary({
    access: anybody,
    params: { username: requiredText },
    send: async (call, http) => {
      ownOrAny(call, call.params.username);
      const hash = await avatarNamed(call.services.db, call.params.username);
      if (hash === undefined) throw new Rejection('user.not-found');
      return sendAvatar(http, call.services, { hash });
    },
  }),
} as const;
