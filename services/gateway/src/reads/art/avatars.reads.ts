import { usernameKey } from '@continuo/contracts';
import type { ReadDatabase } from '../database/database.js';

/** Pictures of accounts are kept in one format. */
export const AVATAR_MIME = 'image/jpeg';

/** The hash of an account's picture; null when it has none, undefined when there is no such account. */
export const avatarOf = async (db: ReadDatabase, id: number): Promise<string | null | undefined> =>
  (await db.selectFrom('social.user').select('avatar_hash').where('id', '=', id).executeTakeFirst())?.avatar_hash;

/** The same by name, in any letter case. */
export const avatarNamed = async (db: ReadDatabase, username: string): Promise<string | null | undefined> =>
  (await db.selectFrom('social.user').select('avatar_hash').where('username_key', '=', usernameKey(username)).executeTakeFirst())
    ?.avatar_hash;
