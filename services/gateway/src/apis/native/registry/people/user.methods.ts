import { userId } from '@continuo/contracts';
import { z } from 'zod';
import { sealedApiKey, userByIdOrName, usersByIds, type UserView } from '../../../../reads/people/users.reads.js';
import { notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { userObject, userSummaryObject, type NativeUser } from '../../objects/user.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { optional, paging } from '../../params.js';
import { objectResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasSealer } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';

type Services = HasAuth & HasReadModel & HasSealer & HasLists;
const { method } = methodsUsing<Services>();

const ADMINISTRATOR = 100;

const userOf = async (call: CallerCall<{ filter?: string | undefined }, Services>): Promise<UserView> => {
  const { filter } = call.params;
  const { account } = call.context.caller;
  const [user] =
    filter === undefined || filter === ''
      ? await usersByIds(call.services.db, [account.id])
      : [await userByIdOrName(call.services.db, filter)];
  if (!user) throw notFound('username', filter ?? account.username);
  return user;
};

/** Decrypted secret for the account and administrators; null without one, or when it was sealed under another server secret. */
const decrypted = ({ services, context }: CallerCall<unknown, Services>, sealed: string | null): string | null => {
  if (sealed === null) return null;
  try {
    return services.sealer.open(sealed);
  } catch (err) {
    context.log.debug({ err }, 'Failed to decrypt a stored secret: sealed under another CONTINUO_SECRET');
    return null;
  }
};

const describe = async (call: CallerCall<unknown, Services>, view: UserView): Promise<NativeUser> => {
  const { services, context } = call;
  const full = view.id === context.caller.account.id || context.caller.account.access >= ADMINISTRATOR;
  return {
    view,
    full,
    // A key with a list of scopes must not lead to one without.
    apiKey: full && context.caller.scopes === undefined ? decrypted(call, (await sealedApiKey(services.db, view.id)) ?? null) : null,
    streamToken: full ? decrypted(call, view.sealedStreamToken) : null,
    lastSeenAtMs: services.auth.lastSeenAtMs(userId.parse(view.id)) ?? null,
  };
};

/** Methods that read accounts. */
export const userMethods = {
  users: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging }),
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
    params: z.object({ filter: optional }),
    run: async (call) => {
      const view = await userOf(call);
      return objectResult(userObject, await describe(call, view), view.id, { counted: false });
    },
  }),
};
