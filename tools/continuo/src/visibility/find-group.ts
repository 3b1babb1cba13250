import type { ManageTypes } from '@continuo/client';
import { OperatorError } from '@continuo/operations';
import type { Api } from '../connect/api.js';

/** Name of the group that sees everything; it has no number. */
export const DEFAULT_GROUP = 'default';

/** A group of catalogs as the management API shows it. */
export type Group = ManageTypes['schemas']['CatalogGroup'];

/** All groups of catalogs, by number. */
export const allGroups = (api: Api): Promise<Group[]> =>
  api.all((client, cursor) => client.GET('/catalog-groups', { params: { query: { limit: 500, ...cursor } } }));

/**
 * The group that a person means, by name in any case or by number.
 * @throws OperatorError when there is none
 */
export const findGroup = async (api: Api, wanted: string): Promise<Group> => {
  const groups = await allGroups(api);
  const found = groups.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ?? groups.find(({ id }) => String(id) === wanted);
  if (!found) throw new OperatorError(`there is no group "${wanted}"`, '"continuo catalog group list" shows all groups');
  return found;
};

/** Like {@link findGroup}, where the default group may be meant too: null. */
export const findGroupOrDefault = async (api: Api, wanted: string): Promise<Group | null> =>
  wanted.toLowerCase() === DEFAULT_GROUP ? null : findGroup(api, wanted);
