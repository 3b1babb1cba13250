import { songId, songPlayed, userId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { preparePlays } from './relay-listens.js';
import { relayPlan } from './relay-plan.js';
import type { SongFacts } from './relayed-songs.js';

const NOW = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const rules = { sinceMs: 0, nowMs: NOW, maxAgeMs: undefined, isReplay: false };

/** Plays of songs, sent in at a time. */
const playsOf = (recordedAtMs: number, ...songs: readonly number[]) =>
  relayPlan(
    songs.map((id, n) => ({
      ...songPlayed({ userId: userId.parse(1), songId: songId.parse(id), playedAtMs: recordedAtMs, client: 'c' }),
      id: `e${n}`,
      at: recordedAtMs,
      stream: 'EV_PLAYBACK',
      subject: 's',
      position: n + 1,
      actor: 'user:1',
      correlationId: 'c',
      causationId: 'c',
    })),
  ).plays;
const song = (id: number): SongFacts => ({ songId: id, artist: 'A', title: `Song ${id}`, durationMs: 60_000, artistMbids: [] });

describe('a song that nobody knows', () => {
  const known = new Map<number, SongFacts | null>([
    [1, song(1)],
    [3, null],
  ]);

  it('is waited for, with everything behind it', () => {
    const { listens, unknown } = preparePlays(playsOf(NOW - 1000, 1, 2, 1), { songs: known, knownUpTo: 100 }, rules);
    expect(listens.map(({ songId: id }) => id)).toEqual([1]);
    expect(unknown).toMatchObject({ songId: 2, position: 2 });
  });

  it('is gone after a day, unless the library has not come so far', () => {
    const old = playsOf(NOW - DAY_MS - 1, 1, 2, 1);
    const gone = preparePlays(old, { songs: known, knownUpTo: 100 }, rules);
    expect(gone.listens).toHaveLength(2);
    expect(gone.dropped).toMatchObject([{ play: { songId: 2 }, reason: 'the song is gone' }]);
    expect(preparePlays(old, { songs: known, knownUpTo: 1 }, rules).unknown).toMatchObject({ songId: 2 });
  });

  it('is gone at once when the library says so', () => {
    expect(preparePlays(playsOf(NOW, 3), { songs: known, knownUpTo: 0 }, rules).dropped).toMatchObject([{ reason: 'the song is gone' }]);
  });
});
