/** Schema `sonic`: what songs sound like, and the runs that find it out. */
export interface SonicSongTable {
  song_id: number;
  model: string;
  /** SHA-256 of the sound; null where it could not be analysed. */
  fingerprint: string | null;
  /** Of the file that it was found out from. */
  size_bytes: number;
  mtime_ms: number;
  /** Value of one step of the bytes. */
  scale: number | null;
  /** One signed byte per number; null where it could not be analysed. */
  vector: Uint8Array | null;
  reason: string | null;
  /** Of the event in the log. */
  position: number;
  heard_at_ms: number;
}

/** A run over the songs of the library, or of one catalog. */
export interface SonicRunTable {
  id: string;
  model: string;
  catalog_id: number | null;
  again: boolean;
  state: 'running' | 'finished' | 'cancelled';
  parts: number;
  parts_ended: number;
  analysed: number;
  reused: number;
  known: number;
  failed: number;
  requested_at_ms: number;
  ended_at_ms: number | null;
}
