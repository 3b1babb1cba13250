import type { ProjectedQuery, Projection } from '@continuo/chassis';
import { songPlayed, type PlayEvent, type RecordedEvent } from '@continuo/contracts';
import type { Kysely } from 'kysely';

interface SongPlaysTable {
  song_id: number;
  play_count: number;
  last_played_at_ms: number;
}
interface UserSongPlaysTable extends SongPlaysTable {
  user_id: number;
}
interface Tables {
  song_plays: SongPlaysTable;
  user_song_plays: UserSongPlaysTable;
}

/** Rows of one statement; far below the 65,535 parameters that Postgres takes. */
const ROWS_PER_STATEMENT = 2000;

const ddl = [
  `create table song_plays (
    song_id integer primary key,
    play_count integer not null,
    last_played_at_ms bigint not null
  )`,
  'create index song_plays_by_count on song_plays (play_count desc, song_id)',
  'create index song_plays_by_time on song_plays (last_played_at_ms desc, song_id)',
  `create table user_song_plays (
    user_id integer not null,
    song_id integer not null,
    play_count integer not null,
    last_played_at_ms bigint not null,
    primary key (user_id, song_id)
  )`,
  'create index user_song_plays_by_count on user_song_plays (user_id, play_count desc, song_id)',
  'create index user_song_plays_by_time on user_song_plays (user_id, last_played_at_ms desc, song_id)',
  // Joining a page of songs with one song's plays by everybody, and removing a song's rows.
  'create index user_song_plays_by_song on user_song_plays (song_id)',
];

/** Adds one play to the row under `key`; times may arrive out of order, the latest stays. */
const count = <R extends { play_count: number; last_played_at_ms: number }>(rows: Map<string, R>, key: string, first: R): void => {
  const row = rows.get(key);
  if (!row) rows.set(key, first);
  else {
    row.play_count += 1;
    row.last_played_at_ms = Math.max(row.last_played_at_ms, first.last_played_at_ms);
  }
};

/** Sums a batch up, so that a song played a thousand times in it is one row. */
const sumUp = (events: readonly RecordedEvent[]): { songs: SongPlaysTable[]; userSongs: UserSongPlaysTable[] } => {
  const songs = new Map<string, SongPlaysTable>();
  const userSongs = new Map<string, UserSongPlaysTable>();
  for (const event of events) {
    if (event.type !== songPlayed.type) continue;
    const { userId, songId, playedAtMs } = (event as RecordedEvent<PlayEvent>).data;
    const played = { play_count: 1, last_played_at_ms: playedAtMs };
    count(songs, String(songId), { song_id: songId, ...played });
    count(userSongs, `${userId}/${songId}`, { user_id: userId, song_id: songId, ...played });
  }
  return { songs: [...songs.values()], userSongs: [...userSongs.values()] };
};

const slices = <R>(rows: readonly R[]): R[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, n) =>
    rows.slice(n * ROWS_PER_STATEMENT, (n + 1) * ROWS_PER_STATEMENT),
  );

const addToSongs = (db: Kysely<Tables>, rows: SongPlaysTable[]): ProjectedQuery =>
  db
    .insertInto('song_plays')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('song_id').doUpdateSet((eb) => ({
        play_count: eb(eb.ref('song_plays.play_count'), '+', eb.ref('excluded.play_count')),
        last_played_at_ms: eb.fn('greatest', [eb.ref('song_plays.last_played_at_ms'), eb.ref('excluded.last_played_at_ms')]),
      })),
    );

const addToUserSongs = (db: Kysely<Tables>, rows: UserSongPlaysTable[]): ProjectedQuery =>
  db
    .insertInto('user_song_plays')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'song_id']).doUpdateSet((eb) => ({
        play_count: eb(eb.ref('user_song_plays.play_count'), '+', eb.ref('excluded.play_count')),
        last_played_at_ms: eb.fn('greatest', [eb.ref('user_song_plays.last_played_at_ms'), eb.ref('excluded.last_played_at_ms')]),
      })),
    );

/**
 * Play counts by song, and by user and song. Counts add up, so a batch must be applied exactly once; the checkpoint in the same
 * transaction sees to that.
 */
export const playsProjection: Projection<Tables> = {
  name: 'playback-plays',
  version: 1,
  context: 'playback',
  publishedSchema: 'playback',
  publishes: ['song_plays', 'user_song_plays'],
  ddl,
  project: (events, db) => {
    const { songs, userSongs } = sumUp(events);
    return [...slices(songs).map((rows) => addToSongs(db, rows)), ...slices(userSongs).map((rows) => addToUserSongs(db, rows))];
  },
};
