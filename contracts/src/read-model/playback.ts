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

/** Videos and episodes of podcasts that users played at least once. */
export interface MediaPlaysTable {
  object_type: string;
  object_id: number;
  user_id: number;
  play_count: number;
  last_played_at_ms: number;
}

/** Every download, in the order of the log. */
export interface DownloadTable {
  /** Position in the log. */
  id: number;
  user_id: number;
  object_type: string;
  object_id: number;
  at_ms: number;
  client: string;
}

/** Songs being played, by user and client; a row counts until `expires_at_ms`. */
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

/** Bookmarks: where people stopped in something. */
export interface BookmarkTable {
  id: number;
  user_id: number;
  object_type: string;
  object_id: number;
  /** Digest of the label that tells it from others in the same thing; empty for the one of the thing itself. */
  slot: string;
  /** A client's name, or whatever somebody wrote; empty without one. */
  label: string;
  position_ms: number;
  created_at_ms: number;
  changed_at_ms: number;
}

/** The play queue of each account that has saved one; an empty one has no runs. */
export interface PlayQueueTable {
  user_id: number;
  /** JSON: neighbours of one type, `[{"objectType":"song","ids":[…]}, …]`. */
  runs: string;
  /** Index in the whole queue, from 0. */
  current_index: number;
  position_ms: number;
  client: string;
  /** Source, order and device of the queue in the client's own form; null for clients that keep none. */
  context: string | null;
  changed_at_ms: number;
}
