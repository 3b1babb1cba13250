import { Rejection, usernameKey } from '@continuo/contracts';
import { allAccounts, accountNamed, type AccountRecord } from '../../reads/account-list.reads.js';
import { inScope, visibleCatalogs, type CatalogRecord } from '../../reads/catalog-scope.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { user, type UserSource } from '../objects/small.object.js';
import { requiredText } from '../parameters.js';
import { rolesOf } from '../roles.js';
import { administrators, anybody, document } from './endpoint.js';

type Described = Pick<AccountRecord, 'username' | 'email' | 'access' | 'disabled' | 'catalogs'>;

/** What is told of an account; of its folders those that the asker sees too. */
const describe = (account: Described, seen: readonly CatalogRecord[]): UserSource => ({
  username: account.username,
  email: account.email,
  roles: rolesOf(account),
  folders: seen.map((catalog) => catalog.id).filter((id) => inScope(account.catalogs, id)),
});

/** Accounts. */
export const accountEndpoints = {
  getUser: document({
    access: anybody,
    params: { username: requiredText },
    body: objectBody('user', user),
    answer: async ({ params, context, services, viewer }) => {
      const { account } = context.caller;
      if (usernameKey(params.username) === usernameKey(account.username))
        return describe(account, await visibleCatalogs(services.db, viewer));
      if (account.access < administrators.level) throw new Rejection('access.denied', 'Only administrators may ask about other accounts');
      const other = await accountNamed(services.db, params.username);
      if (!other) throw new Rejection('user.not-found');
      return describe(other, await visibleCatalogs(services.db, viewer));
    },
  }),

  getUsers: document({
    access: administrators,
    params: {},
    body: containerBody('users', 'user', user),
    answer: async ({ services, viewer }) => {
      const seen = await visibleCatalogs(services.db, viewer);
      return (await allAccounts(services.db)).map((account) => describe(account, seen));
    },
  }),
} as const;
