/** Schema `playback`: what was played, published by the playback service. All times are epoch milliseconds. */

/** Songs that were played or skipped at least once. */
export interface SongPlaysTable {
  song_id: number;
  play_count: number;
  skip_count: number;
  last_played_at_ms: number | null;
  last_skipped_at_ms: number | null;
}

/** The same by user. */
export interface UserSongPlaysTable {
  user_id: number;
  song_id: number;
  play_count: number;
  skip_count: number;
  last_played_at_ms: number | null;
  last_skipped_at_ms: number | null;
}

/** Every play and skip, in the order of the log. */
export interface PlayTable {
  /** Position in the log. */
  id: number;
  user_id: number;
  song_id: number;
  at_ms: number;
  skipped: boolean;
  client: string;
}

/** What is being played, by user and client; a row counts until `expires_at_ms`. */
export interface NowPlayingTable {
  user_id: number;
  client: string;
  object_type: string;
  object_id: number;
  started_at_ms: number;
  expires_at_ms: number;
}

/** Users whose plays were forgotten, and where in the log that was: with the latest play it tells that counts have changed. */
export interface PlaysClearedTable {
  user_id: number;
  position: number;
}
