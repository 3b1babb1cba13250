import { Rejection, usernameKey } from '@continuo/contracts';
import { allAccounts, accountNamed, type AccountRecord } from '../../reads/account-list.reads.js';
import { inScope, visibleCatalogs, type CatalogRecord } from '../../reads/catalog-scope.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { user, type UserSource } from '../objects/small.object.js';
import { requiredText } from '../parameters.js';
import { featuresOf, rolesOf } from '../roles.js';
import type { Account } from '../../auth/index.js';
import { administrators, anybody, document, type CompatServices, type UserCallBase } from './endpoint.js';

type Described = Pick<AccountRecord, 'id' | 'username' | 'email' | 'access' | 'disabled' | 'catalogs' | 'maxBitrateBps'>;

/** What is told of an account; of its folders those that the asker sees too. */
const describe = (account: Described, seen: readonly CatalogRecord[], call: UserCallBase): UserSource => ({
  username: account.username,
  email: account.email,
  roles: rolesOf(account, featuresOf(call, account)),
  maxBitrateBps: account.maxBitrateBps,
  folders: seen.map((catalog) => catalog.id).filter((id) => inScope(account.catalogs, id)),
});

/** The caller's own account, with what authentication does not need to know of it. */
const withLimit = async (db: CompatServices['db'], account: Account): Promise<Described> => ({
  ...account,
  maxBitrateBps: (await accountNamed(db, account.username))?.maxBitrateBps ?? null,
});

/** Accounts. */
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
