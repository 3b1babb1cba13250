/** Schema `playback`: what was played, published by the playback service. */
export interface SongPlaysTable {
  song_id: number;
  play_count: number;
  last_played_at_ms: number;
}

export interface UserSongPlaysTable {
  user_id: number;
  song_id: number;
  play_count: number;
  last_played_at_ms: number;
}
