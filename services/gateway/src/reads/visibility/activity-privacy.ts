import { builtInPreferences } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from './viewer.js';

/** The preference by which people keep to themselves what they did lately. */
const RECENT = builtInPreferences.find(({ name }) => name === 'allow_personal_info_recent');
if (!RECENT) throw new Error('there is no preference allow_personal_info_recent');

/** The server's own values stand under this account. */
const SERVER = 0;

/**
 * The accounts `u` whose recent activity somebody may see: the single place that decides it. Everybody sees their own, and that of every account that is not
 * disabled and does not keep it private. What is done with things in hidden catalogs is left out where the entries are read.
 */
export const showsActivityTo = (
  viewer: Viewer,
): RawBuilder<SqlBool> => sql<SqlBool>`(u.id = ${viewer.userId} or not u.disabled and coalesce(
  (select p.value from social.user_preference p where p.user_id = u.id and p.preference_id = ${RECENT.id}),
  (select p.value from social.user_preference p where p.user_id = ${SERVER} and p.preference_id = ${RECENT.id}),
  ${RECENT.default}) = '1')`;
