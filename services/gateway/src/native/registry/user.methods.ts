import { z } from 'zod';
import { sealedApiKey, userByIdOrName, usersByIds, type UserView } from '../../reads/users.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import { notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { userObject, userSummaryObject } from '../objects/user.object.js';
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
  if (!user) throw notFound('filter', filter ?? account.username);
  return user;
};

/** An account's own key, for the account alone: a key is a credential, and administrators can make new ones. */
const apiKeyOf = async ({ services, request }: CallerCall<unknown>, user: UserView): Promise<string | null> => {
  if (user.id !== request.caller.account.id) return null;
  const sealed = await sealedApiKey(services.db, user.id);
  return sealed === undefined ? null : services.sealer.open(sealed);
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
      const own = view.id === call.request.caller.account.id;
      const full = own || call.request.caller.account.access >= ADMINISTRATOR;
      const source = { view, full, apiKey: await apiKeyOf(call, view), lastSeenAtMs: own ? call.services.now() : null };
      return objectResult(userObject, source, { counted: false, md5: () => listMd5(Int32Array.of(view.id)) });
    },
  }),
};
