import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { every } from './every.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs all work of one interval at the same moments', () => {
  const times: string[] = [];
  const ends = [every(1000, () => times.push(`a ${performance.now()}`))];
  vi.advanceTimersByTime(400);
  ends.push(every(1000, () => times.push(`b ${performance.now()}`)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1600);
  expect(times.map((time) => time.slice(0, 1))).toEqual(['a', 'b', 'a', 'b']);
  expect(times[0]?.slice(2)).toBe(times[1]?.slice(2));
  for (const end of ends) end();
});

it('has no timer left when all work has ended, and begins anew', () => {
  const work = vi.fn<() => void>();
  const [first, second] = [every(500, work), every(500, work)];
  first();
  first();
  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(1);
  second();
  expect(vi.getTimerCount()).toBe(0);
  const third = every(500, work);
  // Ended long ago: it must not end what came after it.
  second();
  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(2);
  third();
});
