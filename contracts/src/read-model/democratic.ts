/** Songs that somebody votes for. Published by the playback service in the schema `playback`. */
export interface DemocraticSongTable {
  list_id: number;
  song_id: number;
  /** At least 1. */
  vote_count: number;
  /** When the first of the votes came: of songs with as many votes the one that waits longest is next. */
  listed_at_ms: number;
}

/** The votes that count. */
export interface DemocraticVoteTable {
  list_id: number;
  song_id: number;
  user_id: number;
  voted_at_ms: number;
}
