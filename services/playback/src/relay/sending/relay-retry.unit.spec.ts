import { expect, it } from 'vitest';
import { relayPauseMs } from './relay-retry.js';

const limits = { firstMs: 5000, mostMs: 3_600_000 };

it('grows threefold, up to the most, spread by a fifth', () => {
  expect([1, 2, 3].map((attempts) => relayPauseMs(attempts, limits, undefined, 0.5))).toEqual([5000, 15_000, 45_000]);
  expect(relayPauseMs(40, limits, undefined, 0.5)).toBe(3_600_000);
  expect([relayPauseMs(1, limits, undefined, 0), relayPauseMs(1, limits, undefined, 1)]).toEqual([4000, 6000]);
});

it('is never shorter than what was asked for', () => {
  expect(relayPauseMs(1, limits, 60_000, 0.5)).toBe(60_000);
  expect(relayPauseMs(1, limits, 10, 0.5)).toBe(5000);
});
