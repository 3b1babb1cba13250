import type { playlistFileOutcomes } from '../messages/events/playlist-file.events.js';

/**
 * Outcome of a playlist file: `imported` (its list holds what it says), `edited` (somebody has changed the list, which is left alone since), `deleted` (somebody has
 * deleted the list, which does not come back), `nothing-found` (none of its entries is a song here), `unusable` (it is no playlist).
 */
export type PlaylistFileOutcome = (typeof playlistFileOutcomes)[number];

/** Playlist files of catalogs that scans have read, view of schema `ingestion`. */
export interface PlaylistFileTable {
  catalog_id: number;
  /** Relative to the catalog's root. */
  path: string;
  /** SHA-256 of the content, hexadecimal. */
  digest: string;
  size_bytes: number;
  mtime_ms: number;
  outcome: PlaylistFileOutcome;
  playlist_id: number | null;
  /** The list's revision when it last held what the file says. */
  revision: number | null;
  entry_count: number;
  song_count: number;
  message: string | null;
  /** The first entries without a song, as JSON text. */
  unmatched: string;
  updated_at_ms: number;
}
