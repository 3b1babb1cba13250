import type { ReadDatabase } from '../database/database.js';
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Viewer, VisibleCatalogs } from './viewer.js';

/** The catalogs that a list may show: all of them, or these. */
export type CatalogScope = VisibleCatalogs;

/** A catalog as clients choose among them. */
export interface CatalogRecord {
  readonly id: number;
  readonly name: string;
}

/** Condition that a catalog column is in a limited scope. */
export const onlyIn = (column: string, catalogs: readonly number[]): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${[...catalogs]}::int[])`;

/** The catalogs that a viewer may see, by id. */
export const visibleCatalogs = async (db: ReadDatabase, viewer: Viewer): Promise<CatalogRecord[]> => {
  let query = db.selectFrom('library.catalog').select(['id', 'name']).orderBy('id');
  if (viewer.catalogs !== 'all') query = query.where(onlyIn('id', viewer.catalogs));
  return query.execute();
};

/** True when a thing of this catalog is in the scope. */
export const inScope = (scope: CatalogScope, catalogId: number): boolean => scope === 'all' || scope.includes(catalogId);

/**
 * The scope of a list that a viewer may have limited to one catalog: undefined means all that are visible; null, or a catalog that the viewer may not see,
 * means none, since a list must never fall back to everything.
 */
export const scopeOf = (viewer: Viewer, chosen: number | null | undefined): CatalogScope => {
  if (chosen === undefined) return viewer.catalogs;
  return chosen !== null && inScope(viewer.catalogs, chosen) ? [chosen] : [];
};
