import { Rejection, usernameKey } from '@continuo/contracts';
import { allAccounts, accountNamed, type AccountRecord } from '../../../../reads/people/account-list.reads.js';
import { inScope, visibleCatalogs, type CatalogRecord } from '../../../../reads/visibility/catalog-scope.reads.js';
import { containerBody, objectBody } from '../../documents.js';
import { user, type UserSource } from '../../objects/small.object.js';
import { requiredText } from '../../parameters.js';
import { rolesOf } from '../../roles.js';
import type { Account } from '../../../../auth/index.js';
import { endpointsUsing, administrators, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasConfig } from '../../../../server/needs.js';

type Services = HasConfig & HasReadModel;
const { document } = endpointsUsing<Services>();

type Described = Pick<AccountRecord, 'id' | 'username' | 'email' | 'access' | 'disabled' | 'catalogs' | 'maxBitrateBps'>;

/** An account, with those of its music folders that the caller also sees. */
const describe = (account: Described, seen: readonly CatalogRecord[], call: UserCallBase<Services>): UserSource => ({
  username: account.username,
  email: account.email,
  roles: rolesOf(call, account),
  maxBitrateBps: account.maxBitrateBps,
  folders: seen.map((catalog) => catalog.id).filter((id) => inScope(account.catalogs, id)),
});

/** The caller's own account with its bitrate limit, which authentication does not load. */
const withLimit = async (db: Services['db'], account: Account): Promise<Described> => ({
  ...account,
  maxBitrateBps: (await accountNamed(db, account.username))?.maxBitrateBps ?? null,
});

/** Operations about accounts. */
export const accountEndpoints = {
  getUser: document({
    access: anybody,
    params: { username: requiredText },
    body: objectBody('user', user),
    answer: async (call) => {
      const { params, context, services, viewer } = call;
      const { account } = context.caller;
      if (usernameKey(params.username) === usernameKey(account.username))
        return describe(await withLimit(services.db, account), await visibleCatalogs(services.db, viewer), call);
      if (account.access < administrators.level) throw new Rejection('access.denied', 'Only administrators may ask about other accounts');
      const other = await accountNamed(services.db, params.username);
      if (!other) throw new Rejection('user.not-found');
      return describe(other, await visibleCatalogs(services.db, viewer), call);
    },
  }),

  getUsers: document({
    access: administrators,
    params: {},
    body: containerBody('users', 'user', user),
    answer: async (call) => {
      const { services, viewer } = call;
      const seen = await visibleCatalogs(services.db, viewer);
      return (await allAccounts(services.db)).map((account) => describe(account, seen, call));
    },
  }),
} as const;
