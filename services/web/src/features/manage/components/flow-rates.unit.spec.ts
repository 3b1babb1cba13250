import { expect, it } from 'vitest';
import { rateOf, sampleOf } from './flow-rates.js';

const live = (position: number) => ({ version: 1, generation: 1, position, lagEvents: 0, fault: null });
const projection = (logEnd: number | null, position: number) => ({
  name: 'songs',
  stream: 'EV_LIBRARY',
  logEnd,
  live: live(position),
});

it('tells events a second of streams and projections between two looks', () => {
  const before = sampleOf([projection(100, 40)], 1000);
  const now = sampleOf([projection(140, 100)], 3000);
  expect([rateOf('EV_LIBRARY', now, before), rateOf('songs', now, before)]).toEqual([20, 30]);
});

it('tells nothing at the first look, of what is not there, and after a log was replaced', () => {
  const now = sampleOf([projection(100, 40)], 1000);
  expect(rateOf('songs', now, undefined)).toBe(0);
  expect(rateOf('songs', now, now)).toBe(0);
  expect(rateOf('EV_LIBRARY', sampleOf([projection(null, 40)], 2000), now)).toBe(0);
  expect(rateOf('songs', sampleOf([projection(3, 3)], 2000), now)).toBe(0);
});
