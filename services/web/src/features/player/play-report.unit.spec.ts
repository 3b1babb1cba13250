import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Playback } from './track.js';
import { PlayReport } from './play-report.js';

const at = (state: Playback['state'], positionS: number, trackId = '7'): Playback => ({
  state,
  trackId,
  positionS,
  durationS: 100,
  bufferedS: 100,
});

const setUp = (fails = 0) => {
  const sent: unknown[] = [];
  let left = fails;
  const report = new PlayReport(async (...what) => {
    sent.push(what);
    left -= 1;
    if (left >= 0) throw new Error('away');
  });
  return { sent, report };
};

describe('play report', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tells a song once when its sound begins', () => {
    const { sent, report } = setUp();
    report.follow(at('loading', 0));
    report.follow(at('playing', 0));
    vi.advanceTimersByTime(1000);
    report.follow(at('playing', 1));
    expect(sent).toEqual([['7', 'play', 0]]);
  });

  it('tells pauses, and where it goes on', () => {
    const { sent, report } = setUp();
    report.follow(at('playing', 0));
    vi.advanceTimersByTime(20_000);
    report.follow(at('paused', 20));
    vi.advanceTimersByTime(600);
    report.follow(at('paused', 20));
    vi.advanceTimersByTime(30_000);
    report.follow(at('playing', 20));
    expect(sent).toEqual([
      ['7', 'play', 0],
      ['7', 'stop', 0],
      ['7', 'play', 20],
    ]);
  });

  it('tells no pause on the way to another song', () => {
    const { sent, report } = setUp();
    report.follow(at('playing', 0));
    report.follow(at('paused', 100));
    vi.advanceTimersByTime(500);
    report.follow(at('playing', 0, '8'));
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual([
      ['7', 'play', 0],
      ['8', 'play', 0],
    ]);
  });

  it('does not count the rest of a song after a long pause', () => {
    const { sent, report } = setUp();
    report.follow(at('playing', 0));
    report.follow(at('paused', 20));
    vi.advanceTimersByTime(3_600_000);
    report.follow(at('playing', 20));
    expect(sent).toHaveLength(2);
    report.follow(at('playing', 0, '8'));
    expect(sent[2]).toEqual(['8', 'play', 0]);
  });

  it('tells a song that is repeated, and one that was moved', () => {
    const { sent, report } = setUp();
    report.follow(at('playing', 0));
    vi.advanceTimersByTime(100_000);
    report.follow(at('playing', 0));
    report.follow(at('playing', 50));
    expect(sent).toEqual([
      ['7', 'play', 0],
      ['7', 'play', 0],
      ['7', 'play', 50],
    ]);
  });

  it('tells it later when the server was away', async () => {
    const { sent, report } = setUp(1);
    report.follow(at('playing', 0));
    await vi.advanceTimersByTimeAsync(5000);
    report.follow(at('playing', 5));
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5000);
    report.follow(at('playing', 10));
    expect(sent[1]).toEqual(['7', 'play', 10]);
  });
});
