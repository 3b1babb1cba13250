import { setTimeout as delay } from 'node:timers/promises';
import { startScan, type CatalogId, type ScanId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { RetryingClient } from '../writes/retrying-client.js';

interface ScanRow {
  readonly state: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled';
  readonly message: string | null;
  readonly filesSeen: number;
  readonly songsAdded: number;
}

/** One catalog's way through its scan, failed ones included. */
export interface ScanOutcome {
  readonly catalogId: CatalogId;
  readonly durationMs: number;
  /** Messages of scans that ended as failed and were submitted again. */
  readonly failedWith: readonly string[];
  readonly filesSeen: number;
}

const POLL_MS = 200;
const SCAN_MS = 6 * 60_000;
const MAX_SUBMISSIONS = 10;

/** Scans a catalog to the end, whatever happens meanwhile. @throws Error when it does not come to an end */
export const scanToTheEnd = async (client: RetryingClient, db: Kysely<unknown>, catalogId: CatalogId): Promise<ScanOutcome> => {
  const startedAt = Date.now();
  const failedWith: string[] = [];
  while (failedWith.length < MAX_SUBMISSIONS) {
    const { scanId } = await client.send(startScan, { catalogId });
    const scan = await untilOver(db, scanId);
    if (scan.state === 'finished') return { catalogId, durationMs: Date.now() - startedAt, failedWith, filesSeen: scan.filesSeen };
    failedWith.push(scan.message ?? scan.state);
  }
  throw new Error(`the scan of catalog ${catalogId} was submitted ${MAX_SUBMISSIONS} times: ${failedWith.join(' | ')}`);
};

/** Whether a catalog's latest scan is at work, and how far the tables are. */
export const scanState = async (db: Kysely<unknown>, catalogId: CatalogId): Promise<{ isRunning: boolean; songsShown: number }> => {
  const found = await sql<{ isRunning: boolean; songsShown: number }>`
    select state = 'running' as "isRunning", (select count(*) from library.song where catalog_id = ${catalogId}) as "songsShown"
    from ingestion.scan where catalog_id = ${catalogId} order by requested_at_ms desc limit 1`.execute(db);
  return found.rows[0] ?? { isRunning: false, songsShown: 0 };
};

const untilOver = async (db: Kysely<unknown>, scanId: ScanId): Promise<ScanRow> => {
  let [fault, last]: [unknown, ScanRow | undefined] = [undefined, undefined];
  for (const end = Date.now() + SCAN_MS; Date.now() < end; await delay(POLL_MS)) {
    try {
      last = await readScan(db, scanId);
      if (last && last.state !== 'queued' && last.state !== 'running') return last;
    } catch (error) {
      // Postgres is away from time to time: that is the point of the exercise.
      fault = error;
    }
  }
  throw new Error(`scan ${scanId} is not over after ${SCAN_MS} ms: ${JSON.stringify(last ?? null)}`, { cause: fault });
};

const readScan = async (db: Kysely<unknown>, scanId: ScanId): Promise<ScanRow | undefined> => {
  const found = await sql<ScanRow>`
    select state, message, files_seen as "filesSeen", songs_added as "songsAdded" from ingestion.scan where id = ${scanId}`.execute(db);
  return found.rows[0];
};
