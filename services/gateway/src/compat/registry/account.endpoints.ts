import { Rejection } from '@continuo/contracts';
import { visibleCatalogs } from '../../reads/catalog-scope.reads.js';
import { objectBody } from '../documents.js';
import { user } from '../objects/small.object.js';
import { requiredText } from '../parameters.js';
import { rolesOf } from '../roles.js';
import { anybody, document } from './endpoint.js';

const sameName = (a: string, b: string): boolean => a.normalize('NFKC').toLowerCase() === b.normalize('NFKC').toLowerCase();

/** Accounts. */
export const accountEndpoints = {
  getUser: document({
    access: anybody,
    params: { username: requiredText },
    body: objectBody('user', user),
    answer: async ({ params, context, services, viewer }) => {
      const { account } = context.caller;
      if (!sameName(params.username, account.username))
        throw new Rejection('access.denied', 'Accounts can be asked about by their own users only');
      const catalogs = await visibleCatalogs(services.db, viewer);
      return { username: account.username, email: account.email, roles: rolesOf(account), folders: catalogs.map((catalog) => catalog.id) };
    },
  }),
} as const;
