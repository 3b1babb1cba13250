import { userId } from '@continuo/contracts';
import { z } from 'zod';
import { sealedApiKey, userByIdOrName, usersByIds, type UserView } from '../../reads/users.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import { notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { userObject, userSummaryObject, type NativeUser } from '../objects/user.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { cond, limit, offset, sort } from '../params.js';
import { objectResult } from '../result.js';

const ADMINISTRATOR = 100;

const userOf = async (call: CallerCall<{ filter?: string | undefined }>): Promise<UserView> => {
  const { filter } = call.params;
  const { account } = call.request.caller;
  const [user] =
    filter === undefined || filter === ''
      ? await usersByIds(call.services.db, [account.id])
      : [await userByIdOrName(call.services.db, filter)];
  if (!user) throw notFound(call.policy.version >= 8 ? 'filter' : 'username', filter ?? account.username);
  return user;
};

/** A secret that the account itself and administrators are shown; null when there is none, or none that this server's secret opens. */
const opened = ({ services, request }: CallerCall<unknown>, sealed: string | null): string | null => {
  if (sealed === null) return null;
  try {
    return services.sealer.open(sealed);
  } catch (err) {
    request.log.debug({ err }, 'a stored secret was sealed under another CONTINUO_SECRET');
    return null;
  }
};

const describe = async (call: CallerCall<unknown>, view: UserView): Promise<NativeUser> => {
  const { services, request } = call;
  const full = view.id === request.caller.account.id || request.caller.account.access >= ADMINISTRATOR;
  return {
    view,
    full,
    apiKey: full ? opened(call, (await sealedApiKey(services.db, view.id)) ?? null) : null,
    streamToken: full ? opened(call, view.sealedStreamToken) : null,
    lastSeenAtMs: services.auth.lastSeenAtMs(userId.parse(view.id)) ?? null,
  };
};

/** Methods that list and show accounts. */
export const userMethods = {
  users: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ offset, limit, cond, sort }),
    run: (call) =>
      listResult(call, listQuery('user', call.params, [], by('id')), {
        table: userSummaryObject,
        read: (ids) => usersByIds(call.services.db, ids),
        counted: false,
      }),
  }),
  user: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    aliases: { filter: ['filter', 'username'] },
    params: z.object({ filter: z.string().optional() }),
    run: async (call) => {
      const view = await userOf(call);
      return objectResult(userObject, await describe(call, view), { counted: false, md5: () => listMd5(Int32Array.of(view.id)) });
    },
  }),
};
