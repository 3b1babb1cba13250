import {
  changeUser,
  clearPlays,
  deleteUser,
  emailAddress,
  joinCatalogGroup,
  passwordSha256,
  registerUser,
  Rejection,
  userId,
} from '@continuo/contracts';
import { z } from 'zod';
import { runAndAwaitReadModel, runCommand } from '../../../../server/commands.js';
import { catalogGroupExists } from '../../../../reads/people/account-list.reads.js';
import { userByIdOrName, type UserView } from '../../../../reads/people/users.reads.js';
import { BAD, badValue, NativeRefusal, taken } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import type { Named } from '../../named-object.js';
import { flag, optional, required } from '../../params.js';
import { success, type NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { method } = methodsUsing<Services>();

const ADMINISTRATOR = 100;
const MAX_TEXT = 255;
const BITS_PER_KILOBIT = 1000;
const MAX_BITRATE_BPS = 100_000_000;

/** 4710 about a password, without its value. */
const badPassword = (rule: string): NativeRefusal => new NativeRefusal(4710, 'password', `${BAD}${rule}`);

/** Parses a password digest: SHA-256 in hex. @throws NativeRefusal 4710 */
export const passwordDigest = (text: string): string => {
  const parsed = passwordSha256.safeParse(text.trim());
  if (!parsed.success) throw badPassword('password must be a SHA-256 digest in hex');
  return parsed.data;
};

/** Parses a mail address. @throws NativeRefusal 4710 */
export const addressOf = (text: string): string => {
  const parsed = emailAddress.safeParse(text);
  if (!parsed.success) throw badValue('email', text, 'must be a mail address');
  return parsed.data;
};

/** Parses a username. @throws NativeRefusal 4710 */
export const nameOf = (text: string): string => {
  const name = text.trim();
  // A name of digits alone would be read as an id.
  if (name === '' || name.length > 128 || /\p{C}/u.test(name) || /^\d+$/.test(name))
    throw badValue('username', text, 'must be a name of 1 to 128 characters that is no number');
  return name;
};

/** Parses a short text. @throws NativeRefusal 4710 */
export const shortText = (parameter: string, text: string): string => {
  if (text.length > MAX_TEXT) throw badValue(parameter, text, `must have ${MAX_TEXT} characters at most`);
  return text;
};

/** Reports a taken username or address under its parameter, with its value. */
export const reportTakenNames = async <T>(
  values: { readonly username?: string; readonly email?: string },
  work: Promise<T>,
): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'user.name-taken') throw taken('username', values.username ?? '');
    if (error instanceof Rejection && error.code === 'user.email-taken') throw taken('email', values.email ?? '');
    throw error;
  }
};

/** Parameter that names accounts in a version. */
const nameParameter = ({ policy }: Pick<CallerCall<unknown, Services>, 'policy'>): string => (policy.version >= 8 ? 'filter' : 'username');

const named = async (call: CallerCall<Named, Services>): Promise<UserView> => {
  const { filter } = call.params;
  const user = filter === '' ? undefined : await userByIdOrName(call.services.db, filter);
  if (!user) throw badValue(nameParameter(call), filter, 'must be the name or id of an account');
  return user;
};

/** Id of a catalog group; 0 sees all catalogs, undefined when absent. @throws NativeRefusal 4710 */
const groupOf = async (call: CallerCall<{ group?: string | undefined }, Services>): Promise<number | undefined> => {
  const text = call.params.group?.trim() ?? '';
  if (text === '' || call.policy.version < 6) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw badValue('group', text, 'must be the id of a group of catalogs');
  const id = Number(text);
  if (id !== 0 && !(await catalogGroupExists(call.services.db, id))) throw badValue('group', text, 'must be the id of a group of catalogs');
  return id;
};

const createParams = z.object({
  username: required,
  password: required,
  email: required,
  fullname: optional,
  disable: flag,
  group: optional,
});

const create = async (call: CallerCall<z.output<typeof createParams>, Services>): Promise<NativeResult> => {
  const { services, context, params } = call;
  const username = nameOf(params.username);
  const email = addressOf(params.email);
  const group = (await groupOf(call)) ?? 0;
  const account = {
    username,
    email,
    passwordSha256: passwordDigest(params.password),
    access: 25 as const,
    // The group is set before the account can be used.
    disabled: params.disable || group !== 0,
    ...(params.fullname === undefined ? {} : { fullName: shortText('fullname', params.fullname) }),
  };
  const made = await reportTakenNames({ username, email }, runAndAwaitReadModel(services, context, { command: registerUser }, account));
  if (group !== 0) {
    await runCommand(services, context, joinCatalogGroup, { userId: made.userId, groupId: group });
    if (!params.disable) await runCommand(services, context, changeUser, { userId: made.userId, disabled: false });
  }
  return success(`successfully created: ${username}`);
};

const editParams = z.object({
  filter: required,
  fullname: optional,
  password: optional,
  email: optional,
  website: optional,
  state: optional,
  city: optional,
  disable: optional,
  maxbitrate: optional,
  fullname_public: optional,
  group: optional,
  reset_apikey: flag,
  reset_streamtoken: flag,
  clear_stats: flag,
});
type Edit = CallerCall<z.output<typeof editParams>, Services>;

/** Bit/s in version 8, kbit/s before; undefined when absent. @throws NativeRefusal 4710 */
const bitrateOf = ({ params, policy }: Edit): number | undefined => {
  const text = params.maxbitrate?.trim() ?? '';
  if (text === '') return undefined;
  const bps = /^\d{1,9}$/.test(text) ? Number(text) * (policy.version >= 8 ? 1 : BITS_PER_KILOBIT) : Infinity;
  if (bps > MAX_BITRATE_BPS)
    throw badValue('maxbitrate', text, `must be 0 to ${MAX_BITRATE_BPS / (policy.version >= 8 ? 1 : BITS_PER_KILOBIT)}`);
  return bps;
};

const sentFlag = (text: string | undefined): boolean | undefined => (text === undefined || text === '' ? undefined : flag.parse(text));

/** A URL scheme other than http(s); a host with a port is none. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i;
/** Parses a website. Clients make links of it, so other schemes such as `javascript:` are rejected; empty removes it. */
const websiteOf = (text: string | undefined): string | undefined => {
  if (text !== undefined && OTHER_SCHEME.test(text)) throw badValue('website', text, 'must be a web address');
  return text;
};

const emailOf = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? text?.trim() : addressOf(text);

/** Changes of a call; fields of newer versions are ignored in older ones. */
const changesOf = (call: Edit): Omit<z.input<typeof changeUser.schema>, 'userId'> => {
  const { params, policy } = call;
  const isNew = policy.version >= 6;
  const text = (parameter: 'fullname' | 'website' | 'state' | 'city') =>
    params[parameter] === undefined ? undefined : shortText(parameter, params[parameter]);
  return {
    fullName: text('fullname'),
    website: websiteOf(text('website')),
    state: text('state'),
    city: text('city'),
    email: emailOf(params.email),
    disabled: sentFlag(params.disable),
    maxBitrateBps: bitrateOf(call),
    fullNamePublic: isNew ? sentFlag(params.fullname_public) : undefined,
    passwordSha256: params.password === undefined || params.password === '' ? undefined : passwordDigest(params.password),
    resetApiKey: isNew && params.reset_apikey,
    resetStreamToken: isNew && params.reset_streamtoken,
  };
};

const edit = async (call: Edit): Promise<NativeResult> => {
  const { services, context, params, policy } = call;
  const user = await named(call);
  const changes = changesOf(call);
  // An administrator's password cannot be changed by others over the API.
  if (changes.passwordSha256 !== undefined && user.access >= ADMINISTRATOR)
    throw badPassword('password must not be that of an administrator');
  const group = await groupOf(call);
  const id = userId.parse(user.id);
  if (group !== undefined) await runCommand(services, context, joinCatalogGroup, { userId: id, groupId: group === 0 ? null : group });
  await reportTakenNames({ email: params.email ?? '' }, runCommand(services, context, changeUser, { userId: id, ...changes }));
  if (policy.version >= 6 && params.clear_stats) await runCommand(services, context, clearPlays, { userId: id });
  return success(`successfully updated: ${user.username}`);
};

/** False for the caller's own account and for administrators, which cannot be deleted. */
export const isDeletable = (user: { readonly id: number; readonly access: number }, callerId: number): boolean =>
  user.id !== callerId && user.access < ADMINISTRATOR;

const aliases = { filter: ['username', 'filter'] };

/** Methods for administrators to manage accounts. */
export const accountMethods = {
  user_create: method({ versions: [4, 5, 6, 8], access: 100, params: createParams, run: create }),
  user_edit: method({ versions: [5, 6, 8], access: 100, aliases, params: editParams, run: edit }),
  user_update: method({ versions: [4, 5, 6], access: 100, aliases, params: editParams, run: edit }),
  user_delete: method({
    versions: [4, 5, 6, 8],
    access: 100,
    aliases,
    params: z.object({ filter: required }),
    run: async (call) => {
      const user = await named(call);
      if (!isDeletable(user, call.context.caller.account.id))
        throw badValue(nameParameter(call), call.params.filter, 'must be neither an administrator nor the caller');
      await runCommand(call.services, call.context, deleteUser, { userId: userId.parse(user.id) });
      return success(`successfully deleted: ${user.username}`);
    },
  }),
};
