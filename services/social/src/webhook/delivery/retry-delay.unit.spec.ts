import { expect, it } from 'vitest';
import { retryDelayMs } from './retry-delay.js';

const pauses = { firstMs: 5000, mostMs: 14_400_000 };

it('is three times as long each time, up to a limit, and spread by a fifth', () => {
  expect([1, 2, 3, 4].map((attempt) => retryDelayMs(attempt, pauses, null, 0.5))).toEqual([5000, 15_000, 45_000, 135_000]);
  expect(retryDelayMs(30, pauses, null, 0.5)).toBe(14_400_000);
  expect([0, 1].map((random) => retryDelayMs(1, pauses, null, random))).toEqual([4000, 6000]);
});

it('is longer when the receiver asks for it, never shorter', () => {
  expect(retryDelayMs(1, pauses, 60_000, 0.5)).toBe(60_000);
  expect(retryDelayMs(3, pauses, 1000, 0.5)).toBe(45_000);
});
