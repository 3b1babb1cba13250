import { describe, expect, it } from 'vitest';
import { retryPauseMs } from './retry-pause.js';

describe('the pause before a webhook is told again', () => {
  const pauses = { firstMs: 5000, mostMs: 14_400_000 };

  it('is three times as long each time, up to a limit, and spread by a fifth', () => {
    expect([1, 2, 3, 4].map((attempt) => retryPauseMs(attempt, pauses, null, 0.5))).toEqual([5000, 15_000, 45_000, 135_000]);
    expect(retryPauseMs(30, pauses, null, 0.5)).toBe(14_400_000);
    expect([0, 1].map((random) => retryPauseMs(1, pauses, null, random))).toEqual([4000, 6000]);
  });

  it('is longer when the receiver asks for it, never shorter', () => {
    expect(retryPauseMs(1, pauses, 60_000, 0.5)).toBe(60_000);
    expect(retryPauseMs(3, pauses, 1000, 0.5)).toBe(45_000);
  });
});

describe('the pause before a scrobble service is told again', () => {
  const limits = { firstMs: 5000, mostMs: 3_600_000 };

  it('grows threefold, up to the most, spread by a fifth', () => {
    expect([1, 2, 3].map((attempts) => retryPauseMs(attempts, limits, undefined, 0.5))).toEqual([5000, 15_000, 45_000]);
    expect(retryPauseMs(40, limits, undefined, 0.5)).toBe(3_600_000);
    expect([retryPauseMs(1, limits, undefined, 0), retryPauseMs(1, limits, undefined, 1)]).toEqual([4000, 6000]);
  });

  it('is never shorter than what was asked for', () => {
    expect(retryPauseMs(1, limits, 60_000, 0.5)).toBe(60_000);
    expect(retryPauseMs(1, limits, 10, 0.5)).toBe(5000);
  });
});
