import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Catalogs that somebody may see: all of them, or those of a list. */
export type VisibleCatalogs = 'all' | readonly number[];

/** For whom something is read. Every read takes one, so that visibility cannot be forgotten. */
export interface Viewer {
  readonly userId: number;
  readonly catalogs: VisibleCatalogs;
}

/** The viewer of an account. Catalog groups are not kept yet, so every account sees every catalog. */
export const viewerOf = (account: { readonly id: number }): Viewer => ({ userId: account.id, catalogs: 'all' });

/** The condition that keeps rows of visible catalogs only: the single place that decides it. */
export const inVisibleCatalogs = (viewer: Viewer, column: RawBuilder<number>): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${column} = any(${[...viewer.catalogs]}::int[])`;
