import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StreamRules } from '../transcode/decision/stream-rules.js';

/** Catalogs that somebody may see: all of them, or those of a list. */
export type VisibleCatalogs = 'all' | readonly number[];

/** For whom something is read. Every read takes one, so that visibility cannot be forgotten. */
export interface Viewer {
  readonly userId: number;
  readonly catalogs: VisibleCatalogs;
  /** True for who may look at everything of other accounts. */
  readonly isAdministrator?: boolean;
  /** What is converted before it is sent to them; absent: nothing that they do not ask for. */
  readonly streams?: StreamRules;
}

const ADMINISTRATOR = 100;

/** The viewer of an account: its group of catalogs decides, whatever its level. */
export const viewerOf = (account: { readonly id: number; readonly access: number; readonly catalogs: VisibleCatalogs }): Viewer => ({
  userId: account.id,
  catalogs: account.catalogs,
  isAdministrator: account.access >= ADMINISTRATOR,
});

/** True for who sees every catalog, so that what is summed up over all of them may be shown. */
export const seesAll = (viewer: Viewer): boolean => viewer.catalogs === 'all';

/** The condition that keeps rows of visible catalogs only: the single place that decides it. */
export const inVisibleCatalogs = (viewer: Pick<Viewer, 'catalogs'>, column: RawBuilder<number>): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${column} = any(${[...viewer.catalogs]}::int[])`;
