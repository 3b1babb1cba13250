import { describe, expect, it } from 'vitest';
import { playbackOf, skipWindowMs } from './play-counter.js';

describe('the time within which a song is skipped', () => {
  it('is the timer, in seconds', () => expect(skipWindowMs(20, 200_000)).toBe(20_000));
  it('is a fraction of the song below one', () => expect(skipWindowMs(0.25, 200_000)).toBe(50_000));
  it('is none for a song that is no longer than the timer', () => {
    expect(skipWindowMs(20, 20_000)).toBe(0);
    expect(skipWindowMs(20, 0)).toBe(0);
    expect(skipWindowMs(0, 200_000)).toBe(0);
  });
});

describe('what is played', () => {
  const when = { startedAtMs: 5, isNow: true };
  it('plays for a while when its length is unknown, and cannot be skipped', () => {
    expect(playbackOf({ id: 7, durationMs: 0 }, { userId: 1, client: 'web' }, when, 20)).toMatchObject({
      durationMs: 30_000,
      play: { skipWindowMs: 0 },
    });
  });
  it('is no play without a timer, and has a client of bounded length', () => {
    const data = playbackOf({ id: 7, durationMs: 9 }, { userId: 1, client: 'x'.repeat(300) }, when);
    expect(data).not.toHaveProperty('play');
    expect(data.client).toHaveLength(255);
  });
});
