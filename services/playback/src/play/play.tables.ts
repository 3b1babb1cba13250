import type {
  DownloadTable,
  MediaPlaysTable,
  NowPlayingTable,
  PlaysClearedTable,
  PlayTable,
  SongPlaysTable,
  UserSongPlaysTable,
} from '@continuo/contracts';

/** The tables of the projection `playback-plays`. */
export interface PlayTables {
  song_plays: SongPlaysTable;
  user_song_plays: UserSongPlaysTable;
  play: PlayTable;
  media_plays: MediaPlaysTable;
  download: DownloadTable;
  now_playing: NowPlayingTable;
  plays_cleared: PlaysClearedTable;
}

/**
 * Their statements. History is kept whole: a million plays are about 250 MB with their indexes, which serve it newest first, by user, by song, and for what is
 * left when a play turns out to be a skip.
 */
export const playDdl = [
  `create table song_plays (
    song_id integer primary key,
    play_count integer not null,
    skip_count integer not null,
    last_played_at_ms bigint,
    last_skipped_at_ms bigint
  )`,
  'create index song_plays_by_count on song_plays (play_count desc, song_id)',
  'create index song_plays_by_time on song_plays (last_played_at_ms desc, song_id)',
  `create table user_song_plays (
    user_id integer not null,
    song_id integer not null,
    play_count integer not null,
    skip_count integer not null,
    last_played_at_ms bigint,
    last_skipped_at_ms bigint,
    primary key (user_id, song_id)
  )`,
  'create index user_song_plays_by_count on user_song_plays (user_id, play_count desc, song_id)',
  'create index user_song_plays_by_time on user_song_plays (user_id, last_played_at_ms desc, song_id)',
  // Joining a page of songs with one song's plays by everybody, and removing a song's rows.
  'create index user_song_plays_by_song on user_song_plays (song_id)',
  `create table play (
    id bigint primary key,
    user_id integer not null,
    song_id integer not null,
    at_ms bigint not null,
    skipped boolean not null,
    client text not null
  )`,
  'create index play_by_time on play (at_ms desc, id desc)',
  'create index play_by_user on play (user_id, at_ms desc, id desc)',
  // Without the skips, so that plays are counted by song from the index alone.
  'create index play_by_song on play (song_id, at_ms desc) where not skipped',
  'create index play_by_user_song on play (user_id, song_id, at_ms desc) where not skipped',
  // Few in number beside songs: what everybody played is added up from those of each.
  `create table media_plays (
    object_type text not null,
    object_id integer not null,
    user_id integer not null,
    play_count integer not null,
    last_played_at_ms bigint not null,
    primary key (object_type, object_id, user_id)
  )`,
  'create index media_plays_by_user on media_plays (user_id)',
  `create table download (
    id bigint primary key,
    user_id integer not null,
    object_type text not null,
    object_id integer not null,
    at_ms bigint not null,
    client text not null
  )`,
  'create index download_by_user on download (user_id)',
  `create table now_playing (
    user_id integer not null,
    client text not null,
    object_type text not null,
    object_id integer not null,
    started_at_ms bigint not null,
    expires_at_ms bigint not null,
    primary key (user_id, client)
  )`,
  'create index now_playing_by_expiry on now_playing (expires_at_ms)',
  'create table plays_cleared (user_id integer primary key, position bigint not null)',
];
