import { specFor } from '@continuo/chassis/testkit';
import { songId as toSongId, songVotedFor, songVoteWithdrawn, userId as toUserId, votedSongPlayed } from '@continuo/contracts';
import { describe, it } from 'vitest';
import { democraticSong } from './democratic-song.decider.js';

const { given } = specFor(democraticSong);
const about = { listId: 1, songId: toSongId.parse(7) };
const [ada, bob] = [toUserId.parse(1), toUserId.parse(2)];
const voted = (userId: typeof ada, votedAtMs = 1000) => songVotedFor({ ...about, userId, votedAtMs });
const played = (playedAtMs: number) => votedSongPlayed({ ...about, playedAtMs });
const voteOf = (userId: typeof ada, wants = true, nowMs = 2000, cooldownMs = 0) => ({ userId, wants, nowMs, cooldownMs });
const cast = (...votes: readonly ReturnType<typeof voteOf>[]) => ({ type: 'cast', ...about, votes }) as const;
const vote = (userId: typeof ada, nowMs?: number, cooldownMs?: number) => cast(voteOf(userId, true, nowMs, cooldownMs));
const withdraw = (userId: typeof ada) => cast(voteOf(userId, false));
const play = { type: 'play', ...about, nowMs: 5000 } as const;

describe('the votes for a song', () => {
  it('count once for each user', () => {
    given([])
      .when(vote(ada))
      .then([voted(ada, 2000)]);
    given([voted(ada)])
      .when(vote(ada))
      .then([]);
    given([voted(ada)])
      .when(vote(bob))
      .then([voted(bob, 2000)]);
  });

  it('are taken back by whoever gave them', () => {
    given([voted(ada), voted(bob)])
      .when(withdraw(ada))
      .then([songVoteWithdrawn({ ...about, userId: ada })]);
    given([voted(bob)])
      .when(withdraw(ada))
      .then([]);
    given([voted(ada), songVoteWithdrawn({ ...about, userId: ada })])
      .when(vote(ada))
      .then([voted(ada, 2000)]);
  });

  it('are cast together, in their order', () => {
    given([voted(ada)])
      .when(cast(voteOf(bob), voteOf(ada), voteOf(bob), voteOf(ada, false), voteOf(ada)))
      .then([voted(bob, 2000), songVoteWithdrawn({ ...about, userId: ada }), voted(ada, 2000)]);
    given([voted(ada), played(1500)])
      .when(cast(voteOf(bob), voteOf(ada, true, 2000, 1000)))
      .thenRejected('democratic.cooling');
  });

  it('are used up when it is played, and nobody plays it again without new ones', () => {
    given([voted(ada), voted(bob)])
      .when(play)
      .then([played(5000)]);
    given([voted(ada), played(1500)])
      .when(play)
      .thenRejected('song.not-found');
    given([voted(ada), songVoteWithdrawn({ ...about, userId: ada })])
      .when(play)
      .thenRejected('song.not-found');
    given([voted(ada), played(1500)])
      .when(vote(ada))
      .then([voted(ada, 2000)]);
  });

  it('are taken again when the song has rested', () => {
    given([voted(ada), played(1500)])
      .when(vote(bob, 2499, 1000))
      .thenRejected('democratic.cooling');
    given([voted(ada), played(1500)])
      .when(vote(bob, 2500, 1000))
      .then([voted(bob, 2500)]);
    given([])
      .when(vote(bob, 10, 1000))
      .then([voted(bob, 10)]);
  });
});
