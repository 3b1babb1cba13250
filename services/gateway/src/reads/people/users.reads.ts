import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from '../songs/songs.reads.js';
import { isOneOf } from '../database/id-condition.js';

/** An account as the surfaces show it; the edges decide which fields somebody else may see. */
export interface UserView {
  readonly id: number;
  readonly username: string;
  readonly fullName: string | null;
  readonly fullNamePublic: boolean;
  readonly email: string | null;
  readonly website: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly access: number;
  readonly disabled: boolean;
  readonly createdAtMs: number;
  /** SHA-256 of its picture; null when it has none. */
  readonly avatarHash: string | null;
  readonly sealedStreamToken: string | null;
}

const users = (db: ReadDatabase) =>
  db
    .selectFrom('social.user as u')
    .select([
      'u.id',
      'u.username',
      'u.full_name as fullName',
      'u.full_name_public as fullNamePublic',
      'u.email',
      'u.website',
      'u.city',
      'u.state',
    ])
    .select([
      'u.access',
      'u.disabled',
      'u.created_at_ms as createdAtMs',
      'u.avatar_hash as avatarHash',
      'u.sealed_stream_token as sealedStreamToken',
    ]);

/** Accounts by id, in the order of the ids. */
export const usersByIds = async (db: ReadDatabase, ids: ArrayLike<number>): Promise<UserView[]> => {
  if (ids.length === 0) return [];
  const rows = await users(db)
    .where(isOneOf(sql<number>`u.id`, ids))
    .execute();
  return inOrder(ids, rows);
};

/** One account by id when the text is a number, else by its name in any letter case. */
export const userByIdOrName = async (db: ReadDatabase, text: string): Promise<UserView | undefined> => {
  const query = /^\d{1,9}$/.test(text)
    ? users(db).where('u.id', '=', Number(text))
    : users(db).where('u.username_key', '=', text.normalize('NFKC').toLowerCase());
  return query.executeTakeFirst();
};

/** The newest key of an account, sealed; undefined when it has none. */
export const sealedApiKey = async (db: ReadDatabase, userId: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('social.api_key as k')
    .select('k.sealed_key as sealed')
    .where('k.user_id', '=', userId)
    .orderBy('k.issued_at_ms', 'desc')
    .executeTakeFirst();
  return row?.sealed;
};
