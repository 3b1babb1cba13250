/** Schema `ingestion`: views that the ingestion service publishes. */
export interface ScanTable {
  id: string;
  catalog_id: number;
  mode: 'changes' | 'add' | 'clean' | 'verify' | 'update' | 'art';
  state: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled';
  requested_at_ms: number;
  started_at_ms: number | null;
  updated_at_ms: number;
  finished_at_ms: number | null;
  folders_seen: number;
  files_seen: number;
  songs_added: number;
  songs_changed: number;
  songs_moved: number;
  songs_removed: number;
  files_skipped: number;
  message: string | null;
}
