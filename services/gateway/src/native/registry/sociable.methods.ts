import { toggleFollow } from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../commands.js';
import { timeline, type Audience } from '../../reads/activity.reads.js';
import { followedBy } from '../../reads/follows.reads.js';
import { IdList, listMd5 } from '../../reads/id-list.js';
import { lastShouts } from '../../reads/shouts.reads.js';
import { canOccur } from '../../reads/text-filters.js';
import { userByIdOrName, usersByIds, type UserView } from '../../reads/users.reads.js';
import type { ObjectTable } from '../../render/index.js';
import { badValue, featureOff, missing, NativeRefusal, notFound } from '../errors/native-fault.js';
import { method, type CallerCall, type CallerRow } from '../method.js';
import { activityObject, shoutObject, usernameObject } from '../objects/activity.object.js';
import type { NativeContext } from '../objects/context.js';
import { userSummaryObject } from '../objects/user.object.js';
import { listQuery, pageResult } from '../paging.js';
import { cond, limit, offset, sort } from '../params.js';
import { itemsFrom, type NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';

/** `filter`, or `username`, its older name: an id or a name. Either may be sent. */
interface Named {
  readonly filter?: string | undefined;
}
/** Where both are sent, most methods go by the older one, and lists of followers by the newer (methods.json). */
const aliases = { filter: ['username', 'filter'] };
const aliasesOfLists = { filter: ['filter', 'username'] };
const who = z.string().optional();

/** Looks at the switch before the parameters (native README section 5). */
const gated = (row: CallerRow): CallerRow => ({
  ...row,
  invoke: (raw, call) => {
    if (!call.services.config.SOCIABLE) throw featureOff('sociable');
    return row.invoke(raw, call);
  },
});

const versions: readonly ApiVersion[] = [3, 4, 5, 6, 8];
const WITH_FILTER: ApiVersion = 6;
/** What a version calls the parameter that names an account. */
const nameOf = ({ policy }: CallerCall<unknown>): string => (policy.version < WITH_FILTER ? 'username' : 'filter');

/** Insists on the parameter in the versions that do; an empty one counts as sent. */
const insist = (call: CallerCall<Named>, ...insisting: readonly ApiVersion[]): void => {
  if (call.params.filter === undefined && insisting.includes(call.policy.version)) throw missing(nameOf(call));
};

const accountNamed = async (call: CallerCall<unknown>, text: string): Promise<UserView | undefined> => {
  const user = canOccur(text) ? await userByIdOrName(call.services.db, text.trim()) : undefined;
  return user?.disabled === true && user.id !== call.viewer.userId ? undefined : user;
};

/** The account that is named, or the caller's own. */
const accountOf = async (call: CallerCall<Named>): Promise<Pick<UserView, 'id' | 'username'>> => {
  const text = call.params.filter ?? '';
  if (text === '') return call.request.caller.account;
  const user = await accountNamed(call, text);
  if (!user) throw notFound('username', text);
  return user;
};

const accounts = async (call: CallerCall<{ offset: number; limit: number | undefined }>, list: IdList): Promise<NativeResult> => {
  const read = (ids: Int32Array): Promise<UserView[]> => usersByIds(call.services.db, ids);
  return call.policy.version < 4
    ? pageResult(call, list, { table: usernameObject, read, counted: false })
    : pageResult(call, list, { table: userSummaryObject, read, counted: false });
};

/** Version 4 calls it a failure when there is nobody (versions.md section 4), with a code that it has for what is denied. */
const nobody = (call: CallerCall<unknown>, list: IdList, text: string): void => {
  if (call.policy.version === 4 && list.total === 0) throw new NativeRefusal(4742, 'account', text);
};

const all = { offset: 0, limit: undefined };

/** Things that were read whole, without counters. */
const few = <T>(table: ObjectTable<T, NativeContext>, things: readonly T[]): NativeResult => {
  const batches = (async function* () {
    yield things;
  })();
  return {
    kind: 'list',
    name: table.kind,
    counted: false,
    list: { total: things.length, md5: listMd5(new Int32Array(0)) },
    items: itemsFrom(table, batches, { isEmpty: things.length === 0, isLong: false }),
  };
};

const USUAL = 10;
const MOST = 5000;
/** A page size: ten when nothing usable is said; `none` means as many as are ever shown. */
const few10 = z
  .string()
  .optional()
  .transform((text) => {
    const trimmed = text?.trim().toLowerCase() ?? '';
    if (trimmed === 'none') return MOST;
    return /^\d{1,9}$/.test(trimmed) && Number(trimmed) > 0 ? Math.min(Number(trimmed), MOST) : USUAL;
  });

const MS_PER_SECOND = 1000;
/** Epoch seconds; empty means from the beginning. */
const sinceOf = (text: string | undefined): number => {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return 0;
  if (!/^\d{1,11}$/.test(trimmed)) throw badValue('since', text ?? '');
  return Number(trimmed) * MS_PER_SECOND;
};

interface TimelineParams {
  readonly since?: string | undefined;
  readonly limit: number;
}
const timelineParams = { since: z.string().optional(), limit: few10 };
const entries = async (call: CallerCall<TimelineParams>, audience: Audience): Promise<NativeResult> => {
  const { params, services, viewer } = call;
  const part = { sinceMs: sinceOf(params.since), limit: params.limit };
  return few(activityObject, await timeline(services.db, viewer, audience, part));
};

/** Methods by which people follow each other and see what others do. */
export const sociableMethods = {
  toggle_follow: gated(
    method({
      versions,
      access: 5,
      aliases,
      params: z.object({ filter: who }),
      run: async (call) => {
        insist(call, ...versions);
        const text = call.params.filter ?? '';
        const user = await accountNamed(call, text);
        if (!user) throw notFound('username', text);
        const { id } = call.request.caller.account;
        if (user.id === id) throw badValue('username', text);
        await runCommand(call.services, call.request, toggleFollow, { userId: id, followedId: user.id });
        return { kind: 'success', message: `follow toggled for: ${id}` };
      },
    }),
  ),
  followers: gated(
    method({
      versions,
      access: 5,
      aliases: aliasesOfLists,
      params: z.object({ filter: who, offset, limit, cond, sort }),
      run: async (call) => {
        insist(call, 4, 5);
        const user = await accountOf(call);
        const { filter: _named, ...paging } = call.params;
        const order = { name: 'follow_date', descending: true };
        const list = await call.services.lists.ids(
          listQuery('follower', paging, [{ name: 'user', value: String(user.id) }], order),
          call.viewer,
        );
        nobody(call, list, `User \`${user.username}\` has no followers.`);
        return accounts(call, list);
      },
    }),
  ),
  following: gated(
    method({
      versions,
      access: 5,
      aliases: aliasesOfLists,
      params: z.object({ filter: who }),
      run: async (call) => {
        insist(call, 4, 5);
        const user = await accountOf(call);
        const list = new IdList(await followedBy(call.services.db, user.id));
        nobody(call, list, `User \`${user.username}\` does not follow anyone.`);
        return accounts({ ...call, params: all }, list);
      },
    }),
  ),
  timeline: gated(
    method({
      versions,
      access: 5,
      aliases,
      params: z.object({ filter: who, ...timelineParams }),
      run: async (call) => {
        insist(call, 4, 5, 6, 8);
        const text = call.params.filter ?? '';
        // Who is not there and who is private look the same (methods.json). Version 3 need not name anybody, and then means the caller.
        const user = call.params.filter === undefined ? call.request.caller.account : await accountNamed(call, text);
        return user ? entries(call, { of: 'account', userId: user.id }) : few(activityObject, []);
      },
    }),
  ),
  friends_timeline: gated(
    method({ versions, access: 5, params: z.object(timelineParams), run: (call) => entries(call, { of: 'followed' }) }),
  ),
  last_shouts: gated(
    method({
      versions,
      access: 5,
      aliases,
      params: z.object({ filter: who, limit: few10 }),
      run: async (call) => {
        insist(call, 4, 6, 8);
        const text = call.params.filter ?? '';
        const user = text === '' ? undefined : await accountNamed(call, text);
        if (text !== '' && !user) return few(shoutObject, []);
        return few(shoutObject, await lastShouts(call.services.db, call.viewer, { limit: call.params.limit, userId: user?.id }));
      },
    }),
  ),
};
