import { Rejection, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { credentialSnapshot, type CredentialRows, type CredentialSnapshot } from './credential-snapshot.js';

/** Where the rows come from. */
export type CredentialSource = () => Promise<CredentialRows>;

/** Reads accounts, keys, access rules and groups of catalogs out of the published read model, oldest first. */
export const readModelCredentials =
  (db: Kysely<ReadModel>): CredentialSource =>
  async () => {
    const [users, apiKeys, accessRules, members, catalogs] = await Promise.all([
      db.selectFrom('social.user').selectAll().orderBy('id').execute(),
      db.selectFrom('social.api_key').selectAll().orderBy('issued_at_ms').orderBy('key_id').execute(),
      db.selectFrom('social.access_rule').selectAll().orderBy('id').execute(),
      db.selectFrom('social.user_catalog_group').selectAll().execute(),
      db.selectFrom('social.catalog_group_catalog').selectAll().execute(),
    ]);
    return { users, apiKeys, accessRules, catalogGroups: { members, catalogs } };
  };

/** What a reader works with. */
export interface CredentialReaderOptions {
  readonly source: CredentialSource;
  readonly log: Logger;
  readonly now: () => number;
  /** Told of each fresh snapshot. */
  readonly onFresh?: (snapshot: CredentialSnapshot) => void;
  /** Snapshots older than this are renewed beside the requests, in case a notice was lost. */
  readonly maxAgeMs?: number;
}

interface Loaded {
  readonly snapshot: CredentialSnapshot;
  /** How many changes had been noticed when the reading began. */
  readonly change: number;
  readonly atMs: number;
}

const MAX_AGE_MS = 30_000;

/**
 * Keeps the credentials in memory, so that a request costs no statement. After a noticed change every request waits for a fresh snapshot:
 * a revoked key is refused at once. When the database does not answer then, logins are refused rather than judged by what is known to be old.
 */
export class CredentialReader {
  private loaded: Loaded | undefined;
  private loading: Promise<Loaded> | undefined;
  private change = 0;

  constructor(private readonly options: CredentialReaderOptions) {}

  /** Tells that accounts or access rules have changed. Where somebody is told of fresh snapshots, one is read without waiting for a request. */
  noteChange(): void {
    this.change += 1;
    if (this.options.onFresh) this.renewBeside();
  }

  /** The latest snapshot without waiting, when nothing is known to be newer. */
  peek(): CredentialSnapshot | undefined {
    return this.loaded?.change === this.change ? this.loaded.snapshot : undefined;
  }

  /**
   * A snapshot that contains every noticed change.
   * @throws Rejection `unavailable` when it cannot be read
   */
  async current(): Promise<CredentialSnapshot> {
    const { now, maxAgeMs = MAX_AGE_MS } = this.options;
    if (this.loaded?.change === this.change) {
      if (now() - this.loaded.atMs > maxAgeMs) this.renewBeside();
      return this.loaded.snapshot;
    }
    const wanted = this.change;
    try {
      let fresh = await this.load();
      // The reading that was under way may have begun before the change.
      while (fresh.change < wanted) fresh = await this.load();
      return fresh.snapshot;
    } catch (cause) {
      throw new Rejection('unavailable', 'the accounts cannot be read', undefined, { cause });
    }
  }

  private renewBeside(): void {
    this.load().catch((err: unknown) => {
      this.options.log.warn({ err }, 'the accounts could not be read again; the last known ones stay in use');
    });
  }

  private load(): Promise<Loaded> {
    this.loading ??= this.read().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private async read(): Promise<Loaded> {
    const change = this.change;
    const loaded = { snapshot: credentialSnapshot(await this.options.source()), change, atMs: this.options.now() };
    this.loaded = loaded;
    this.options.onFresh?.(loaded.snapshot);
    return loaded;
  }
}
