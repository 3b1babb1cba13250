/**
 * Schema `social`: groups of catalogs. An account without a row in `user_catalog_group` sees every catalog, any other those of its group, and none
 * when the group is not there.
 */
export interface CatalogGroupTable {
  id: number;
  name: string;
}

export interface CatalogGroupCatalogTable {
  group_id: number;
  /** May name a catalog that is gone. */
  catalog_id: number;
}

export interface UserCatalogGroupTable {
  user_id: number;
  group_id: number;
}
