import type { CatalogGroupCatalogTable, UserCatalogGroupTable } from '@continuo/contracts';
import type { VisibleCatalogs } from '../reads/visibility/viewer.js';

/** Members and catalogs of the catalog groups. */
export interface CatalogGroupRows {
  readonly members: readonly UserCatalogGroupTable[];
  readonly catalogs: readonly CatalogGroupCatalogTable[];
}

/**
 * Returns the catalogs that an account sees: all without a group, else the catalogs of their group in the order of their ids, so that lists kept for one member serve
 * the others. A group that is not there, or is empty, shows nothing: better too little than a hidden catalog.
 */
export const catalogVisibility = ({ members, catalogs }: CatalogGroupRows): ((userId: number) => VisibleCatalogs) => {
  const ofGroup = new Map(
    [...Map.groupBy(catalogs, (row) => row.group_id)].map(([groupId, rows]) => [
      groupId,
      rows.map((row) => row.catalog_id).toSorted((a, b) => a - b),
    ]),
  );
  const groupOf = new Map(members.map((row) => [row.user_id, row.group_id]));
  return (userId) => {
    const groupId = groupOf.get(userId);
    return groupId === undefined ? 'all' : (ofGroup.get(groupId) ?? []);
  };
};
