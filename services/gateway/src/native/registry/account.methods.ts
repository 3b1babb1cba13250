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
import { runCommand } from '../../commands.js';
import { catalogGroupExists } from '../../reads/account-list.reads.js';
import { userByIdOrName, type UserView } from '../../reads/users.reads.js';
import { badValue, NativeRefusal } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { flag, required } from '../params.js';
import type { NativeResult } from '../result.js';

const ADMINISTRATOR = 100;
const MAX_TEXT = 255;
const BITS_PER_KILOBIT = 1000;
const MAX_BITRATE_BPS = 100_000_000;

/** 4710 about a secret, whose value is not repeated. */
const badPassword = (): NativeRefusal => new NativeRefusal(4710, 'password', 'Bad Request: password');

/** SHA-256 in hex, as clients send passwords (methods.json). @throws NativeRefusal 4710 */
export const passwordDigest = (text: string): string => {
  const parsed = passwordSha256.safeParse(text.trim());
  if (!parsed.success) throw badPassword();
  return parsed.data;
};

/** A mail address. @throws NativeRefusal 4710 */
export const addressOf = (text: string): string => {
  const parsed = emailAddress.safeParse(text);
  if (!parsed.success) throw badValue('email', text);
  return parsed.data;
};

/** A user name that can be had. @throws NativeRefusal 4710 */
export const nameOf = (text: string): string => {
  const name = text.trim();
  // All digits would be read as a number wherever an account is named.
  if (name === '' || name.length > 128 || /\p{C}/u.test(name) || /^\d+$/.test(name)) throw badValue('username', text);
  return name;
};

/** Short text about an account. @throws NativeRefusal 4710 */
export const shortText = (parameter: string, text: string): string => {
  if (text.length > MAX_TEXT) throw badValue(parameter, text.slice(0, 40));
  return text;
};

/** Reports what is taken under the parameter that said it, with its value (methods.json, `user_create`). */
export const namingTaken = async <T>(values: { readonly username?: string; readonly email?: string }, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'user.name-taken') throw badValue('username', values.username ?? '');
    if (error instanceof Rejection && error.code === 'user.email-taken') throw badValue('email', values.email ?? '');
    throw error;
  }
};

/** The parameter that names accounts in a version. */
const nameParameter = ({ policy }: Pick<CallerCall<unknown>, 'policy'>): string => (policy.version >= 8 ? 'filter' : 'username');

const named = async (call: CallerCall<{ filter: string }>): Promise<UserView> => {
  const { filter } = call.params;
  const user = filter === '' ? undefined : await userByIdOrName(call.services.db, filter);
  if (!user) throw badValue(nameParameter(call), filter);
  return user;
};

/** A number of a group of catalogs, 0 being the one that sees everything; undefined when none is sent. @throws NativeRefusal 4710 */
const groupOf = async (call: CallerCall<{ group?: string | undefined }>): Promise<number | undefined> => {
  const text = call.params.group?.trim() ?? '';
  if (text === '' || call.policy.version < 6) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw badValue('group', text);
  const id = Number(text);
  if (id !== 0 && !(await catalogGroupExists(call.services.db, id))) throw badValue('group', text);
  return id;
};

const createParams = z.object({
  username: required,
  password: required,
  email: required,
  fullname: z.string().optional(),
  disable: flag,
  group: z.string().optional(),
});

const create = async (call: CallerCall<z.output<typeof createParams>>): Promise<NativeResult> => {
  const { services, request, params } = call;
  const username = nameOf(params.username);
  const email = addressOf(params.email);
  const group = (await groupOf(call)) ?? 0;
  const account = {
    username,
    email,
    passwordSha256: passwordDigest(params.password),
    access: 25 as const,
    // Nobody sees more than their group does, not even between two commands.
    disabled: params.disable || group !== 0,
    ...(params.fullname === undefined ? {} : { fullName: shortText('fullname', params.fullname) }),
  };
  const made = await namingTaken({ username, email }, runCommand(services, request, registerUser, account));
  if (group !== 0) {
    await runCommand(services, request, joinCatalogGroup, { userId: made.userId, groupId: group });
    if (!params.disable) await runCommand(services, request, changeUser, { userId: made.userId, disabled: false });
  }
  return { kind: 'success', message: `successfully created: ${username}` };
};

const whenSent = z.string().optional();
const editParams = z.object({
  filter: required,
  fullname: whenSent,
  password: whenSent,
  email: whenSent,
  website: whenSent,
  state: whenSent,
  city: whenSent,
  disable: whenSent,
  maxbitrate: whenSent,
  fullname_public: whenSent,
  group: whenSent,
  reset_apikey: flag,
  reset_streamtoken: flag,
  clear_stats: flag,
});
type Edit = CallerCall<z.output<typeof editParams>>;

/** Bit/s in version 8, kbit/s before (versions.md section 6.1); undefined when none is sent. @throws NativeRefusal 4710 */
const bitrateOf = ({ params, policy }: Edit): number | undefined => {
  const text = params.maxbitrate?.trim() ?? '';
  if (text === '') return undefined;
  const bps = /^\d{1,9}$/.test(text) ? Number(text) * (policy.version >= 8 ? 1 : BITS_PER_KILOBIT) : Infinity;
  if (bps > MAX_BITRATE_BPS) throw badValue('maxbitrate', text);
  return bps;
};

const sentFlag = (text: string | undefined): boolean | undefined => (text === undefined || text === '' ? undefined : flag.parse(text));

/** An empty address takes the one before away. */
const OTHER_SCHEME = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i;
/** Clients make links of it: what is no address of the web, such as `javascript:`, is refused. A name without a scheme, with a port or not, is one. */
const websiteOf = (text: string | undefined): string | undefined => {
  if (text !== undefined && OTHER_SCHEME.test(text)) throw badValue('website', text);
  return text;
};

const emailOf = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? text?.trim() : addressOf(text);

/** The changes that a call asks for; those that only newer versions have are none in older ones. */
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
  const { services, request, params, policy } = call;
  const user = await named(call);
  const changes = changesOf(call);
  // An administrator's password is nobody else's to change over the API (methods.json, `user_edit`).
  if (changes.passwordSha256 !== undefined && user.access >= ADMINISTRATOR) throw badPassword();
  const group = await groupOf(call);
  const id = userId.parse(user.id);
  if (group !== undefined) await runCommand(services, request, joinCatalogGroup, { userId: id, groupId: group === 0 ? null : group });
  await namingTaken({ email: params.email ?? '' }, runCommand(services, request, changeUser, { userId: id, ...changes }));
  if (policy.version >= 6 && params.clear_stats) await runCommand(services, request, clearPlays, { userId: id });
  return { kind: 'success', message: `successfully updated: ${user.username}` };
};

/** Refuses what nobody may delete: the account that asks, and administrators (methods.json, `user_delete`). */
export const isDeletable = (user: { readonly id: number; readonly access: number }, callerId: number): boolean =>
  user.id !== callerId && user.access < ADMINISTRATOR;

const aliases = { filter: ['username', 'filter'] };

/** Methods by which administrators keep accounts. */
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
      if (!isDeletable(user, call.request.caller.account.id)) throw badValue(nameParameter(call), call.params.filter);
      await runCommand(call.services, call.request, deleteUser, { userId: userId.parse(user.id) });
      return { kind: 'success', message: `successfully deleted: ${user.username}` };
    },
  }),
};
