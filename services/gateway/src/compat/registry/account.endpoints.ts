import { Rejection, usernameKey } from '@continuo/contracts';
import { allAccounts, accountNamed, type AccountRecord } from '../../reads/account-list.reads.js';
import { visibleCatalogs } from '../../reads/catalog-scope.reads.js';
import { viewerOf } from '../../reads/viewer.js';
import { containerBody, objectBody } from '../documents.js';
import { user, type UserSource } from '../objects/small.object.js';
import { requiredText } from '../parameters.js';
import { rolesOf } from '../roles.js';
import { administrators, anybody, document, type CompatServices } from './endpoint.js';

const describe = async (services: CompatServices, account: AccountRecord): Promise<UserSource> => {
  const catalogs = await visibleCatalogs(services.db, viewerOf(account));
  return { username: account.username, email: account.email, roles: rolesOf(account), folders: catalogs.map((catalog) => catalog.id) };
};

/** Accounts. */
export const accountEndpoints = {
  getUser: document({
    access: anybody,
    params: { username: requiredText },
    body: objectBody('user', user),
    answer: async ({ params, context, services }) => {
      const { account } = context.caller;
      if (usernameKey(params.username) === usernameKey(account.username)) return describe(services, account);
      if (account.access < administrators.level) throw new Rejection('access.denied', 'Only administrators may ask about other accounts');
      const other = await accountNamed(services.db, params.username);
      if (!other) throw new Rejection('user.not-found');
      return describe(services, other);
    },
  }),

  getUsers: document({
    access: administrators,
    params: {},
    body: containerBody('users', 'user', user),
    answer: async ({ services }) => Promise.all((await allAccounts(services.db)).map((account) => describe(services, account))),
  }),
} as const;
