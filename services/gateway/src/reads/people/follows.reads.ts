import type { ReadDatabase } from '../database/database.js';

/** Ids of the accounts that somebody follows, the latest first, without disabled ones. There are a thousand at the most. */
export const followedBy = async (db: ReadDatabase, userId: number): Promise<Int32Array> => {
  const rows = await db
    .selectFrom('social.follow as f')
    .innerJoin('social.user as u', 'u.id', 'f.followed_id')
    .select('u.id')
    .where('f.user_id', '=', userId)
    .where('u.disabled', '=', false)
    .orderBy('f.followed_at_ms', 'desc')
    .orderBy('u.id', 'desc')
    .execute();
  return Int32Array.from(rows, ({ id }) => id);
};
