import { specFor } from '@continuo/chassis/testkit';
import { songId, songPlayed, userId, type PlayEvent } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { plays, REMEMBERED_PLAYS, type RecordPlays } from './play.decider.js';

const user = userId.parse(7);
const play = (song: number, playedAtMs: number): RecordPlays['plays'][number] => ({
  songId: songId.parse(song),
  playedAtMs,
});
const played = (song: number, playedAtMs: number, client = 'web'): PlayEvent =>
  songPlayed({ userId: user, client, ...play(song, playedAtMs) });
const record = (plays_: RecordPlays['plays'], client = 'web'): RecordPlays => ({
  userId: user,
  client,
  plays: plays_,
});

const { given } = specFor(plays);

describe('plays', () => {
  it('records plays in the order given', () => {
    given([])
      .when(record([play(2, 2000), play(1, 1000)]))
      .then([played(2, 2000), played(1, 1000)]);
  });

  it('counts the same song by the same client at the same time once, also within one command', () => {
    given([played(1, 1000)])
      .when(record([play(1, 1000), play(2, 1000), play(2, 1000)]))
      .then([played(2, 1000)]);
  });

  it('counts another time and another client anew', () => {
    given([played(1, 1000)])
      .when(record([play(1, 1001)]))
      .then([played(1, 1001)]);
    given([played(1, 1000)])
      .when(record([play(1, 1000)], 'phone'))
      .then([played(1, 1000, 'phone')]);
  });

  it('does not confuse client names that look like keys', () => {
    given([played(1, 1000, '/web')])
      .when(record([play(1, 1000)], 'web'))
      .then([played(1, 1000)]);
  });

  it('says nothing when every play is known', () => {
    given([played(1, 1000), played(2, 1000)])
      .when(record([play(2, 1000), play(1, 1000)]))
      .then([]);
  });

  it('keeps its state bounded and recognises a whole list that is sent again', () => {
    const past = Array.from({ length: REMEMBERED_PLAYS + 500 }, (_, n) => played(1, n + 1));
    const state = past.reduce(plays.evolve, plays.initialState);
    expect(state.recent).toHaveLength(REMEMBERED_PLAYS);
    const again = past.slice(-1000).map(({ data }) => ({ songId: data.songId, playedAtMs: data.playedAtMs }));
    expect(plays.decide(state, record(again))).toEqual([]);
  });

  it('skips events that it does not know', () => {
    const unknown = { type: 'SongHummed', v: 1, data: {} } as unknown as PlayEvent;
    expect(plays.evolve(plays.initialState, unknown)).toEqual(plays.initialState);
  });
});
