import { toggleFollow } from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../../../server/commands.js';
import { timeline, type Audience } from '../../../../features/people/activity.reads.js';
import { followedBy } from '../../../../reads/people/follows.reads.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { lastShouts } from '../../../../features/people/shouts.reads.js';
import { canOccur } from '../../../../reads/lists/text-filters.js';
import { userByIdOrName, usersByIds, type UserView } from '../../../../reads/people/users.reads.js';
import { badValue, featureOff, missing, NativeRefusal } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound } from '../../named-object.js';
import { activityObject, shoutObject, usernameObject } from '../../objects/activity.object.js';
import { userSummaryObject } from '../../objects/user.object.js';
import { listQuery, pageResult } from '../../paging.js';
import { optional, paging, pageSize } from '../../params.js';
import { heldList, success, type NativeResult } from '../../result.js';
import { apiVersions, type ApiVersion } from '../../versions/policy.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel & HasLists;
const { method } = methodsUsing<Services>({
  check: ({ services }) => {
    if (!services.config.SOCIABLE) throw featureOff('sociable');
  },
});

/** `filter`, or its older name `username`: an id or a name. */
interface Named {
  readonly filter?: string | undefined;
}
/** When both are sent, most methods use the older one, lists of followers the newer. */
const aliases = { filter: ['username', 'filter'] };
const aliasesOfLists = { filter: ['filter', 'username'] };

const versions = apiVersions;
const WITH_FILTER: ApiVersion = 6;
/** Name of the parameter in a version. */
const nameOf = ({ policy }: CallerCall<unknown, Services>): string => (policy.version < WITH_FILTER ? 'username' : 'filter');

/** Requires the parameter in some versions; it may be empty. */
const requireName = (call: CallerCall<Named, Services>, ...insisting: readonly ApiVersion[]): void => {
  if (call.params.filter === undefined && insisting.includes(call.policy.version)) throw missing(nameOf(call));
};

const accountNamed = async (call: CallerCall<unknown, Services>, text: string): Promise<UserView | undefined> => {
  const user = canOccur(text) ? await userByIdOrName(call.services.db, text.trim()) : undefined;
  return user?.disabled === true && user.id !== call.viewer.userId ? undefined : user;
};

/** The named account, or the caller's own. */
const accountOf = async (call: CallerCall<Named, Services>): Promise<Pick<UserView, 'id' | 'username'>> => {
  const text = call.params.filter ?? '';
  if (text === '') return call.context.caller.account;
  return orNotFound(await accountNamed(call, text), text, 'username');
};

const accounts = async (call: CallerCall<{ offset: number; limit: number | undefined }, Services>, list: IdList): Promise<NativeResult> => {
  const read = (ids: Int32Array): Promise<UserView[]> => usersByIds(call.services.db, ids);
  return call.policy.version < 4
    ? pageResult(call, list, { table: usernameObject, read, counted: false })
    : pageResult(call, list, { table: userSummaryObject, read, counted: false });
};

/** Version 4 answers an empty list with an error. */
const requireNonEmpty = (call: CallerCall<unknown, Services>, list: IdList, text: string): void => {
  if (call.policy.version === 4 && list.total === 0) throw new NativeRefusal(4742, 'account', text);
};

const all = { offset: 0, limit: undefined };

const USUAL = 10;
const MOST = 5000;
/** Page size: ten by default; `none` is the maximum. */
const shortPage = pageSize(USUAL).transform((size = MOST) => Math.min(size, MOST));

const MS_PER_SECOND = 1000;
/** Epoch seconds; empty means 1970. */
const sinceOf = (text: string | undefined): number => {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return 0;
  if (!/^\d{1,11}$/.test(trimmed)) throw badValue('since', text ?? '', 'must be a time in seconds since 1970');
  return Number(trimmed) * MS_PER_SECOND;
};

const timelineParams = z.object({ since: optional, limit: shortPage });
const entries = async (call: CallerCall<z.output<typeof timelineParams>, Services>, audience: Audience): Promise<NativeResult> => {
  const { params, services, viewer } = call;
  const part = { sinceMs: sinceOf(params.since), limit: params.limit };
  return heldList(activityObject, await timeline(services.db, viewer, audience, part));
};

/** Methods about followers and activity. */
export const socialMethods = {
  toggle_follow: method({
    versions,
    access: 5,
    aliases,
    params: z.object({ filter: optional }),
    run: async (call) => {
      requireName(call, ...versions);
      const text = call.params.filter ?? '';
      const user = orNotFound(await accountNamed(call, text), text, 'username');
      const { id } = call.context.caller.account;
      if (user.id === id) throw badValue('username', text, 'must be somebody else');
      await runCommand(call.services, call.context, toggleFollow, { userId: id, followedId: user.id });
      return success(`follow toggled for: ${id}`);
    },
  }),
  followers: method({
    versions,
    access: 5,
    aliases: aliasesOfLists,
    params: z.object({ filter: optional, ...paging }),
    run: async (call) => {
      requireName(call, 4, 5);
      const user = await accountOf(call);
      const { filter: _named, ...params } = call.params;
      const order = { name: 'follow_date', descending: true };
      const list = await call.services.lists.ids(
        listQuery('follower', params, [{ name: 'user', value: String(user.id) }], order),
        call.viewer,
      );
      requireNonEmpty(call, list, `User \`${user.username}\` has no followers.`);
      return accounts(call, list);
    },
  }),
  following: method({
    versions,
    access: 5,
    aliases: aliasesOfLists,
    params: z.object({ filter: optional }),
    run: async (call) => {
      requireName(call, 4, 5);
      const user = await accountOf(call);
      const list = new IdList(await followedBy(call.services.db, user.id));
      requireNonEmpty(call, list, `User \`${user.username}\` does not follow anyone.`);
      return accounts({ ...call, params: all }, list);
    },
  }),
  timeline: method({
    versions,
    access: 5,
    aliases,
    params: z.object({ filter: optional, ...timelineParams.shape }),
    run: async (call) => {
      requireName(call, 4, 5, 6, 8);
      const text = call.params.filter ?? '';
      // Unknown and private accounts get the same answer. Version 3 may omit the name, and then means the caller.
      const user = call.params.filter === undefined ? call.context.caller.account : await accountNamed(call, text);
      return user ? entries(call, { of: 'account', userId: user.id }) : heldList(activityObject, []);
    },
  }),
  friends_timeline: method({ versions, access: 5, params: timelineParams, run: (call) => entries(call, { of: 'followed' }) }),
  last_shouts: method({
    versions,
    access: 5,
    aliases,
    params: z.object({ filter: optional, limit: shortPage }),
    run: async (call) => {
      requireName(call, 4, 6, 8);
      const text = call.params.filter ?? '';
      const user = text === '' ? undefined : await accountNamed(call, text);
      if (text !== '' && !user) return heldList(shoutObject, []);
      return heldList(shoutObject, await lastShouts(call.services.db, call.viewer, { limit: call.params.limit, userId: user?.id }));
    },
  }),
};
