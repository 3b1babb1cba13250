import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from './viewer.js';

/**
 * The condition that keeps what belongs to the viewer, and everything for administrators: the single place that decides whose things somebody may see and
 * change by their ids.
 */
export const ownOrAdministered = (viewer: Viewer, owner: RawBuilder<number>): RawBuilder<SqlBool> =>
  viewer.isAdministrator ? sql<SqlBool>`true` : sql<SqlBool>`${owner} = ${viewer.userId}::int`;
