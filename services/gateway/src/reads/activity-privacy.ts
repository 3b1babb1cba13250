import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from './viewer.js';

/**
 * The accounts `u` whose recent activity somebody may see: the single place that decides it. Everybody sees their own, and that of every account that is not
 * disabled. What is done with things in hidden catalogs is left out where the entries are read.
 */
export const showsActivityTo = (viewer: Viewer): RawBuilder<SqlBool> => sql<SqlBool>`(u.id = ${viewer.userId} or not u.disabled)`;
