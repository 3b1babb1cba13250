import { specFor } from '@continuo/chassis/testkit';
import { democraticTurnTaken, songId as toSongId, userId as toUserId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { democraticListener, isOver, REMEMBERED_LISTENERS, turnOf } from './democratic-listener.decider.js';

const { given } = specFor(democraticListener);
const of = { listId: 1, userId: toUserId.parse(3) };
const turn = (client: string, songId: number, startedAtMs = 1000) =>
  democraticTurnTaken({ ...of, client, songId: toSongId.parse(songId), startedAtMs, durationMs: 200_000 });
const begin = (client: string, songId: number, after: number) =>
  ({ type: 'begin', ...of, client, songId: toSongId.parse(songId), durationMs: 200_000, nowMs: 1000, after }) as const;

describe('a listener', () => {
  it('goes on from song to song, each client by itself', () => {
    given([])
      .when(begin('web', 7, 0))
      .then([turn('web', 7)]);
    given([turn('web', 7)])
      .when(begin('web', 8, 1))
      .then([turn('web', 8)]);
    given([turn('web', 7), turn('web', 8)])
      .when(begin('phone', 9, 0))
      .then([turn('phone', 9)]);
  });

  it('does not go on twice for two requests of the same moment', () => {
    given([turn('web', 7)])
      .when(begin('web', 8, 0))
      .thenRejected('conflict');
    given([turn('web', 7), turn('web', 8)])
      .when(begin('web', 9, 1))
      .thenRejected('conflict');
  });

  it('is remembered with a bounded number of clients', () => {
    const events = Array.from({ length: REMEMBERED_LISTENERS + 1 }, (_, n) => turn(`client ${n}`, 7, n));
    const state = events.reduce(democraticListener.evolve, democraticListener.initialState);
    expect(state.turns).toHaveLength(REMEMBERED_LISTENERS);
    expect(turnOf(state, 'client 0')).toBeUndefined();
    expect(turnOf(state, 'client 1')?.songId).toBe(7);
  });

  it('is through with a song a little before its end, since players fetch ahead', () => {
    const playing = { client: 'web', number: 1, songId: toSongId.parse(7), startedAtMs: 1000 };
    expect(isOver({ ...playing, durationMs: 200_000 }, 170_999)).toBe(false);
    expect(isOver({ ...playing, durationMs: 200_000 }, 171_000)).toBe(true);
    expect(isOver({ ...playing, durationMs: 10_000 }, 8999)).toBe(false);
    expect(isOver({ ...playing, durationMs: 10_000 }, 9000)).toBe(true);
  });
});
