import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';

/** An account as administrators see it. */
export interface ManagedAccount {
  readonly id: number;
  readonly username: string;
  readonly usernameKey: string;
  readonly fullName: string | null;
  readonly fullNamePublic: boolean;
  readonly email: string | null;
  readonly website: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly access: number;
  readonly disabled: boolean;
  readonly awaiting: 'confirmation' | 'approval' | null;
  readonly maxBitrateBps: number | null;
  readonly createdAtMs: number;
  readonly hasStreamToken: boolean;
  /** Group of catalogs that it belongs to; null: it sees all. */
  readonly catalogGroupId: number | null;
  readonly keyCount: number;
  /** SHA-256 of its picture; null when it has none. */
  readonly avatarHash: string | null;
}

const accounts = (db: ReadDatabase) =>
  db
    .selectFrom('social.user as u')
    .leftJoin('social.user_catalog_group as g', 'g.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.username_key as usernameKey', 'u.full_name as fullName', 'u.full_name_public as fullNamePublic'])
    .select(['u.email', 'u.website', 'u.city', 'u.state', 'u.access', 'u.disabled', 'u.awaiting', 'u.created_at_ms as createdAtMs'])
    .select(['u.max_bitrate_bps as maxBitrateBps', 'g.group_id as catalogGroupId', 'u.avatar_hash as avatarHash'])
    .select(sql<boolean>`u.sealed_stream_token is not null`.as('hasStreamToken'))
    .select(sql<number>`(select count(*)::int from social.api_key k where k.user_id = u.id)`.as('keyCount'));

/** Accounts by name, so many after a name. */
export const managedAccountsAfter = (
  db: ReadDatabase,
  { after, prefix, limit }: { readonly after: string; readonly prefix: string; readonly limit: number },
): Promise<ManagedAccount[]> =>
  accounts(db)
    .where('u.username_key', '>', after)
    .$if(prefix !== '', (query) => query.where(sql<boolean>`starts_with(u.username_key, ${prefix})`))
    .orderBy('u.username_key')
    .limit(limit)
    .execute();

/** An account by number. */
export const managedAccountById = (db: ReadDatabase, id: number): Promise<ManagedAccount | undefined> =>
  accounts(db).where('u.id', '=', id).executeTakeFirst();

/** Names of accounts by number; those that are gone have none. */
export const namesOfAccounts = async (db: ReadDatabase, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom('social.user')
    .select(['id', 'username'])
    .where(isOneOf(sql<number>`id`, ids))
    .execute();
  return new Map(found.map(({ id, username }) => [id, username]));
};

/** An API key without its text. */
export interface ManagedKey {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdAtMs: number;
  /** Null: every scope. */
  readonly scopes: readonly string[] | null;
  readonly expiresAtMs: number | null;
}

const keys = (db: ReadDatabase) =>
  db
    .selectFrom('social.api_key')
    .select(['key_id as id', 'user_id as accountId', 'name', 'issued_at_ms as createdAtMs', 'scopes', 'expires_at_ms as expiresAtMs']);

/** Where a page of keys begins: after the key that was issued then. */
export interface KeyCursor {
  readonly createdAtMs: number;
  readonly id: string;
}

/** API keys, the oldest first, of one account or of all. */
export const managedKeysAfter = (
  db: ReadDatabase,
  { accountId, after, limit }: { readonly accountId?: number | undefined; readonly after?: KeyCursor | undefined; readonly limit: number },
): Promise<ManagedKey[]> =>
  keys(db)
    .$if(accountId !== undefined, (query) => query.where('user_id', '=', accountId ?? 0))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(issued_at_ms, key_id) > (${after?.createdAtMs ?? 0}::bigint, ${after?.id ?? ''}::text)`),
    )
    .orderBy('issued_at_ms')
    .orderBy('key_id')
    .limit(limit)
    .execute();

/** An API key by its id. */
export const managedKeyById = (db: ReadDatabase, id: string): Promise<ManagedKey | undefined> =>
  keys(db).where('key_id', '=', id).executeTakeFirst();
