import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { DEMOCRATIC_LIST, Rejection, songId, takeDemocraticTurn, voteForSong, withdrawVote, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { TEST_NOW_MS } from '../servers/test-gateway.js';

/** A song that was played a moment ago and takes no votes. */
const RESTING_SONG = 3;

/** Counts every vote but those for a song that rests; the next song is the first that may be played. */
export const withDemocratic = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(voteForSong, async ({ data }) => {
      if (data.songId === songId.parse(RESTING_SONG)) throw new Rejection('democratic.cooling');
      return { result: {}, positions: [] };
    })
    .handle(withdrawVote, async () => ({ result: {}, positions: [] }))
    .handle(takeDemocraticTurn, async ({ data: { candidates, otherwise } }) => ({
      result: { songId: (candidates[0] ?? otherwise)?.songId ?? null },
      positions: [],
    }));

/** Puts songs on the list, each with so many votes; those with as many wait since the order in which they are named. */
export const insertVotedSongs = async (
  db: Kysely<ReadModel>,
  songs: readonly (readonly [songId: number, votes: number])[],
): Promise<void> => {
  const rows = songs.map(([id, votes], n) => ({ list_id: DEMOCRATIC_LIST, song_id: id, vote_count: votes, listed_at_ms: TEST_NOW_MS + n }));
  await db.insertInto('playback.democratic_song').values(rows).execute();
};

/** Two songs with one vote each, one with three, and one that is gone with the most. */
export const seedDemocratic = (db: Kysely<ReadModel>): Promise<void> =>
  insertVotedSongs(db, [
    [4, 1],
    [1, 1],
    [2, 3],
    [999, 9],
  ]);
