import type { Migration } from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';

/** Which scan holds a catalog, and which worker runs it. Losing this table costs nothing but a second start of a running scan. */
export interface ScanLeaseTable {
  catalog_id: number;
  /** The scan that is queued or running. */
  scan_id: string;
  /** The worker that runs it; null while it waits. */
  owner: string | null;
  /** Raised with each owner: a former one can tell that it has been replaced. */
  fence: number;
  expires_at_ms: number;
}

/** When the last turn of a schedule was taken. Losing it costs a turn. */
export interface ScheduleTable {
  name: string;
  last_turn_at_ms: number;
}

/** Tables of the ingestion service in Postgres: its own tables, and the published views. */
export interface IngestionDatabase extends ReadModel {
  'ingestion.scan_lease': ScanLeaseTable;
  'ingestion.schedule': ScheduleTable;
}

export const ingestionMigrations: readonly Migration[] = [
  {
    name: '2026-11-20-scan-lease',
    statements: [
      `create table scan_lease (
        catalog_id bigint primary key, scan_id text not null, owner text, fence bigint not null default 0, expires_at_ms bigint not null default 0)`,
    ],
  },
  {
    name: '2026-11-21-schedule',
    statements: ['create table schedule (name text primary key, last_turn_at_ms bigint not null)'],
  },
];
