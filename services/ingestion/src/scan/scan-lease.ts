import { setTimeout as delay } from 'node:timers/promises';
import type { CatalogId, ScanId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { IngestionDatabase } from './ingestion-tables.js';

/** A worker's hold on a catalog. */
export interface Lease {
  readonly catalogId: CatalogId;
  readonly scanId: ScanId;
  readonly owner: string;
  readonly fence: number;
}

/** Lifetime of a lease without heartbeat, ms. */
export const LEASE_MS = 6000;
const FREE_POLL_MS = 50;

const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const expiry = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(LEASE_MS)}`;

/**
 * One row per catalog: reserves it for a scan when that is requested, and leases it to one worker while that runs. Times are the database's,
 * so that the clocks of replicas do not matter.
 */
export class ScanLeases {
  constructor(private readonly db: Kysely<IngestionDatabase>) {}

  /** Reserves a catalog for a scan; answers the scan that has it, this one or an earlier one. */
  async reserve(catalogId: CatalogId, scanId: ScanId): Promise<{ scanId: ScanId; isRunning: boolean }> {
    await this.db
      .insertInto('ingestion.scan_lease')
      .values({ catalog_id: catalogId, scan_id: scanId, owner: null, fence: 0, expires_at_ms: 0 })
      .onConflict((conflict) => conflict.column('catalog_id').doNothing())
      .execute();
    const row = await this.db
      .selectFrom('ingestion.scan_lease')
      .select(['scan_id', 'owner', (eb) => eb('expires_at_ms', '>', nowMs).as('live')])
      .where('catalog_id', '=', catalogId)
      .executeTakeFirst();
    // The row went between the two statements: its scan ended just now.
    if (row === undefined) return this.reserve(catalogId, scanId);
    return { scanId: row.scan_id as ScanId, isRunning: row.owner !== null && Boolean(row.live) };
  }

  /** Hands a reservation of a scan that is over to another scan, unless somebody was faster. */
  async replace(catalogId: CatalogId, ended: ScanId, scanId: ScanId): Promise<boolean> {
    const result = await this.db
      .updateTable('ingestion.scan_lease')
      .set({ scan_id: scanId, owner: null, expires_at_ms: 0 })
      .where('catalog_id', '=', catalogId)
      .where('scan_id', '=', ended)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Takes the catalog for a worker; undefined while another worker holds it. */
  async acquire(catalogId: CatalogId, scanId: ScanId, owner: string): Promise<Lease | undefined> {
    const row = await this.db
      .insertInto('ingestion.scan_lease')
      .values({ catalog_id: catalogId, scan_id: scanId, owner, fence: 1, expires_at_ms: expiry })
      .onConflict((conflict) =>
        conflict
          .column('catalog_id')
          .doUpdateSet((eb) => ({ scan_id: scanId, owner, fence: eb('ingestion.scan_lease.fence', '+', 1), expires_at_ms: expiry }))
          .where((eb) => eb.or([eb('ingestion.scan_lease.owner', 'is', null), eb('ingestion.scan_lease.expires_at_ms', '<', nowMs)])),
      )
      .returning('fence')
      .executeTakeFirst();
    return row ? { catalogId, scanId, owner, fence: row.fence } : undefined;
  }

  /** Keeps a lease alive; false when it is lost. */
  async renew(lease: Lease): Promise<boolean> {
    const result = await this.db
      .updateTable('ingestion.scan_lease')
      .set({ expires_at_ms: expiry })
      .where('catalog_id', '=', lease.catalogId)
      .where('owner', '=', lease.owner)
      .where('fence', '=', lease.fence)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Lets go of the catalog: for good when the scan has ended, or for the next worker when it was handed back. */
  async release(lease: Lease, hasEnded: boolean): Promise<void> {
    if (hasEnded) {
      await this.db
        .deleteFrom('ingestion.scan_lease')
        .where('catalog_id', '=', lease.catalogId)
        .where('scan_id', '=', lease.scanId)
        .execute();
      return;
    }
    await this.db
      .updateTable('ingestion.scan_lease')
      .set({ owner: null, expires_at_ms: 0 })
      .where('catalog_id', '=', lease.catalogId)
      .where('owner', '=', lease.owner)
      .execute();
  }

  /** Waits until no worker holds the catalog for a scan any more; false when that takes longer. */
  async untilFree(catalogId: CatalogId, scanId: ScanId, limitMs: number): Promise<boolean> {
    for (const until = performance.now() + limitMs; performance.now() < until; await delay(FREE_POLL_MS)) {
      const row = await this.db
        .selectFrom('ingestion.scan_lease')
        .select('owner')
        .where('catalog_id', '=', catalogId)
        .where('scan_id', '=', scanId)
        .where('owner', 'is not', null)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst();
      if (row === undefined) return true;
    }
    return false;
  }

  /** Drops the reservation of a scan that will never run. */
  async forget(catalogId: CatalogId, scanId: ScanId): Promise<void> {
    await this.db
      .deleteFrom('ingestion.scan_lease')
      .where('catalog_id', '=', catalogId)
      .where('scan_id', '=', scanId)
      .where('owner', 'is', null)
      .execute();
  }
}
