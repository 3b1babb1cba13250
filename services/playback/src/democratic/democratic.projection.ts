import { projectEach, type Projection } from '@continuo/chassis';
import type { DemocraticListenerEvent, DemocraticSongEvent, DemocraticSongTable, DemocraticVoteTable } from '@continuo/contracts';
import { sql } from 'kysely';

interface Tables {
  democratic_song: DemocraticSongTable;
  democratic_vote: DemocraticVoteTable;
}

const ddl = [
  `create table democratic_song (
    list_id integer not null,
    song_id integer not null,
    vote_count integer not null,
    listed_at_ms bigint not null,
    primary key (list_id, song_id)
  )`,
  // The order in which songs have their turns.
  'create index democratic_song_by_turn on democratic_song (list_id, vote_count desc, listed_at_ms, song_id)',
  `create table democratic_vote (
    list_id integer not null,
    song_id integer not null,
    user_id integer not null,
    voted_at_ms bigint not null,
    primary key (list_id, song_id, user_id)
  )`,
  'create index democratic_vote_by_user on democratic_vote (user_id)',
];

const NOTHING: readonly never[] = [];

/** The songs that people vote for, with their votes. Each vote is one event, so that counts add up. */
export const democraticProjection: Projection<Tables> = {
  name: 'playback-democratic',
  version: 1,
  context: 'playback',
  publishedSchema: 'playback',
  publishes: ['democratic_song', 'democratic_vote'],
  ddl,
  ...projectEach<DemocraticSongEvent | DemocraticListenerEvent, Tables>({
    SongVotedFor: ({ data: { listId, songId, userId, votedAtMs } }, db) => {
      const song = { list_id: listId, song_id: songId };
      return [
        db.insertInto('democratic_vote').values({ ...song, user_id: userId, voted_at_ms: votedAtMs }),
        db
          .insertInto('democratic_song')
          .values({ ...song, vote_count: 1, listed_at_ms: votedAtMs })
          .onConflict((conflict) =>
            conflict.columns(['list_id', 'song_id']).doUpdateSet({ vote_count: sql`democratic_song.vote_count + 1` }),
          ),
      ];
    },
    SongVoteWithdrawn: ({ data: { listId, songId, userId } }, db) => {
      const ofSong = db.deleteFrom('democratic_song').where('list_id', '=', listId).where('song_id', '=', songId);
      return [
        db.deleteFrom('democratic_vote').where('list_id', '=', listId).where('song_id', '=', songId).where('user_id', '=', userId),
        ofSong.where('vote_count', '=', 1),
        db
          .updateTable('democratic_song')
          .set({ vote_count: sql`vote_count - 1` })
          .where('list_id', '=', listId)
          .where('song_id', '=', songId),
      ];
    },
    VotedSongPlayed: ({ data: { listId, songId } }, db) => [
      db.deleteFrom('democratic_vote').where('list_id', '=', listId).where('song_id', '=', songId),
      db.deleteFrom('democratic_song').where('list_id', '=', listId).where('song_id', '=', songId),
    ],
    DemocraticTurnTaken: () => NOTHING,
  }),
};
