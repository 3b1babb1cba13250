import { projectEach, type ProjectedQuery, type Projection } from '@continuo/chassis';
import type { EventOf, RecordedEvent, ScanCounts, ScanEvent, ScanId, scanRequested, ScanTable } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { zeroCounts } from './scan.decider.js';

interface Tables {
  scan: ScanTable;
}

const ddl = [
  `create table scan (
    id text primary key, catalog_id bigint not null, mode text not null default 'changes', state text not null, requested_at_ms bigint not null, started_at_ms bigint,
    updated_at_ms bigint not null, finished_at_ms bigint, folders_seen bigint not null default 0, files_seen bigint not null default 0,
    songs_added bigint not null default 0, songs_changed bigint not null default 0, songs_moved bigint not null default 0,
    songs_removed bigint not null default 0, files_skipped bigint not null default 0, message text)`,
  'create index scan_by_catalog on scan (catalog_id, requested_at_ms desc)',
  'create index scan_by_time on scan (requested_at_ms desc)',
];

const columnsOf = (counts: ScanCounts) => ({
  folders_seen: counts.foldersSeen,
  files_seen: counts.filesSeen,
  songs_added: counts.songsAdded,
  songs_changed: counts.songsChanged,
  songs_moved: counts.songsMoved,
  songs_removed: counts.songsRemoved,
  files_skipped: counts.filesSkipped,
});

const queuedRow = ({ scanId, catalogId, mode = 'changes' }: EventOf<typeof scanRequested>['data'], at: number): ScanTable => ({
  id: scanId,
  catalog_id: catalogId,
  mode,
  state: 'queued',
  requested_at_ms: at,
  started_at_ms: null,
  updated_at_ms: at,
  finished_at_ms: null,
  message: null,
  ...columnsOf(zeroCounts),
});

type Change = Partial<Omit<ScanTable, 'id' | 'catalog_id'>>;

const change = (db: Kysely<Tables>, scanId: ScanId, at: number, values: Change): ProjectedQuery[] => [
  db
    .updateTable('scan')
    .set({ ...values, updated_at_ms: at })
    .where('id', '=', scanId),
];

const ended = (
  db: Kysely<Tables>,
  event: RecordedEvent<Extract<ScanEvent, { type: 'ScanFinished' | 'ScanFailed' | 'ScanCancelled' }>>,
  values: Change,
) => change(db, event.data.scanId, event.at, { ...columnsOf(event.data.counts), finished_at_ms: event.at, ...values });

/** Keeps `ingestion.scan`: one row per scan with its state and counts. */
export const scanProjection: Projection<Tables> = {
  name: 'ingestion-scans',
  version: 2,
  context: 'ingest',
  publishedSchema: 'ingestion',
  publishes: ['scan'],
  ddl,
  ...projectEach<ScanEvent, Tables>({
    ScanRequested: ({ data, at }, db) => [
      db
        .insertInto('scan')
        .values(queuedRow(data, at))
        .onConflict((conflict) => conflict.column('id').doNothing()),
    ],
    ScanStarted: ({ data, at }, db) => [
      db
        .updateTable('scan')
        .set((eb) => ({ state: 'running', started_at_ms: eb.fn.coalesce('started_at_ms', eb.val(at)), updated_at_ms: at }))
        .where('id', '=', data.scanId),
    ],
    ScanProgressed: ({ data, at }, db) => change(db, data.scanId, at, { ...columnsOf(data.counts), message: data.delayedBy ?? null }),
    ScanFinished: (event, db) => ended(db, event, { state: 'finished', message: skippedSentence(event.data.counts, event.data.skipped) }),
    ScanFailed: (event, db) => ended(db, event, { state: 'failed', message: event.data.message }),
    ScanCancelled: (event, db) => ended(db, event, { state: 'cancelled' }),
  }),
};

/** The first things left out, as one text, a line each. */
const skippedSentence = (counts: ScanCounts, skipped: readonly { path: string; message: string }[]): string | null => {
  if (skipped.length === 0) return null;
  const lines = skipped.map((file) => `${file.path}: ${file.message}`);
  return [...lines, ...(counts.filesSkipped > skipped.length ? [`… ${counts.filesSkipped - skipped.length} more`] : [])].join('\n');
};
