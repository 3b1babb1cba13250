import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StreamRules } from '../../transcode/decision/stream-rules.js';

/** Catalogs that somebody may see: all of them, or those of a list. */
export type VisibleCatalogs = 'all' | readonly number[];

/** For whom something is read. Every read takes one, so that visibility cannot be forgotten. */
export interface Viewer {
  readonly userId: number;
  readonly catalogs: VisibleCatalogs;
  /** True for who may look at everything of other accounts. */
  readonly isAdministrator?: boolean;
  /** True for who is shown the path of a file within its catalog, and not where the catalog lies on the server. */
  readonly hidesServerPaths?: boolean;
  /** Stream rules of the viewer; absent: conversions only on request. */
  readonly streams?: StreamRules;
}

const ADMINISTRATOR = 100;
/** Least level that is shown paths of the server. */
const CONTENT_MANAGER = 50;

/** The viewer of an account: its group of catalogs decides, whatever its level. */
export const viewerOf = (account: { readonly id: number; readonly access: number; readonly catalogs: VisibleCatalogs }): Viewer => ({
  userId: account.id,
  catalogs: account.catalogs,
  isAdministrator: account.access >= ADMINISTRATOR,
  ...(account.access < CONTENT_MANAGER ? { hidesServerPaths: true } : {}),
});

/** True for who sees every catalog, so that what is summed up over all of them may be shown. */
export const seesAll = (viewer: Viewer): boolean => viewer.catalogs === 'all';

/** The condition that keeps rows of visible catalogs only: the single place that decides it. */
export const inVisibleCatalogs = (viewer: Pick<Viewer, 'catalogs'>, column: RawBuilder<number>): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${column} = any(${[...viewer.catalogs]}::int[])`;

/** Viewer who also sees a new catalog, for the answer: a catalog group does not include new catalogs by itself. */
export const alsoSeeing = (viewer: Viewer, id: number): Viewer =>
  viewer.catalogs === 'all' ? viewer : { ...viewer, catalogs: [...viewer.catalogs, id] };
