import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { SnapshotReader } from '../../reads/database/snapshot-reader.js';
import { credentialSnapshot, type CredentialRows, type CredentialSnapshot } from './credential-snapshot.js';

/** Reads the credential rows. */
export type CredentialSource = () => Promise<CredentialRows>;

/** Reads accounts, keys, access rules and groups of catalogs out of the published read model, oldest first. */
export const readModelCredentials =
  (db: Kysely<ReadModel>): CredentialSource =>
  async () => {
    const [users, apiKeys, accessRules, identities, members, catalogs] = await Promise.all([
      db.selectFrom('social.user').selectAll().orderBy('id').execute(),
      db.selectFrom('social.api_key').selectAll().orderBy('issued_at_ms').orderBy('key_id').execute(),
      db.selectFrom('social.access_rule').selectAll().orderBy('id').execute(),
      db.selectFrom('social.external_identity').selectAll().execute(),
      db.selectFrom('social.user_catalog_group').selectAll().execute(),
      db.selectFrom('social.catalog_group_catalog').selectAll().execute(),
    ]);
    return { users, apiKeys, accessRules, identities, catalogGroups: { members, catalogs } };
  };

/** Options of {@link CredentialReader}. */
export interface CredentialReaderOptions {
  readonly source: CredentialSource;
  readonly log: Logger;
  readonly now: () => number;
  /** Told of each fresh snapshot. */
  readonly onFresh?: (snapshot: CredentialSnapshot) => void;
  /** Snapshots older than this are renewed beside the requests, in case a notice was lost. */
  readonly maxAgeMs?: number;
}

/**
 * Keeps the credentials in memory, so that a request costs no statement. After a noticed change every request waits for a fresh snapshot:
 * a revoked key is refused at once. When the database does not answer then, logins are refused rather than judged by what is known to be old.
 */
export class CredentialReader extends SnapshotReader<CredentialSnapshot> {
  constructor({ source, ...options }: CredentialReaderOptions) {
    super({ ...options, read: async () => credentialSnapshot(await source(), options.now), what: 'the accounts', unreadable: 'refuse' });
  }
}
