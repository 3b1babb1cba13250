import type { ReadDatabase } from '../database/database.js';

/** An API key as its owner sees it in a list. */
export interface ApiKeyView {
  readonly keyId: string;
  readonly name: string;
  readonly issuedAtMs: number;
  /** Null: it does not expire. */
  readonly expiresAtMs: number | null;
  /** Null: every scope. */
  readonly scopes: readonly string[] | null;
  readonly sealedKey: string;
}

/** The live keys of an account, oldest first. */
export const apiKeysOf = (db: ReadDatabase, userId: number): Promise<ApiKeyView[]> =>
  db
    .selectFrom('social.api_key')
    .select(['key_id as keyId', 'name', 'issued_at_ms as issuedAtMs', 'expires_at_ms as expiresAtMs', 'scopes', 'sealed_key as sealedKey'])
    .where('user_id', '=', userId)
    .orderBy('issued_at_ms')
    .orderBy('key_id')
    .execute();

/** An identity at a provider that opens an account. */
export interface LinkedIdentityView {
  readonly identityDigest: string;
  readonly issuer: string;
  readonly linkedAtMs: number;
}

/** The identities that open an account. */
export const identitiesOf = (db: ReadDatabase, userId: number): Promise<LinkedIdentityView[]> =>
  db
    .selectFrom('social.external_identity')
    .select(['identity_digest as identityDigest', 'issuer', 'linked_at_ms as linkedAtMs'])
    .where('user_id', '=', userId)
    .orderBy('linked_at_ms')
    .execute();

/** Whether an account has a password for players. */
export const hasPlayerPassword = async (db: ReadDatabase, userId: number): Promise<boolean> => {
  const row = await db.selectFrom('social.user').select('sealed_compat_password as sealed').where('id', '=', userId).executeTakeFirst();
  return typeof row?.sealed === 'string';
};
