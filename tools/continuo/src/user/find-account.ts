import type { ManageTypes } from '@continuo/client';
import { usernameKey } from '@continuo/contracts';
import { OperatorError } from '@continuo/operations';
import { orNotFound, type Api } from '../connect/api.js';

/** An account as the management API shows it. */
export type Account = ManageTypes['schemas']['Account'];

/** All accounts, or those whose names begin so, by name. */
export const accountsOf = (api: Api, filter: { readonly startsWith?: string }): Promise<Account[]> =>
  api.all((client, cursor) => client.GET('/accounts', { params: { query: { limit: 500, ...filter, ...cursor } } }));

/** The account of a name, in any case. @throws OperatorError when there is none */
export const accountNamed = async (api: Api, username: string): Promise<Account> => {
  const isMeant = (one: Account): boolean => usernameKey(one.username) === usernameKey(username);
  // One whose personal data cannot be read is shown under another name than it is kept under.
  const account = (await accountsOf(api, { startsWith: username })).find(isMeant) ?? (await accountsOf(api, {})).find(isMeant);
  if (!account) throw new OperatorError(`there is no account "${username}"`, '"continuo user list" shows all accounts');
  return account;
};

/** Names of accounts by number; those that are gone have none. */
export const namesOfAccounts = async (api: Api, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>();
  for (const id of new Set(ids)) {
    const account = await orNotFound(
      'user.not-found',
      api.ask((client) => client.GET('/accounts/{id}', { params: { path: { id } } })),
    );
    if (account) names.set(id, account.username);
  }
  return names;
};
