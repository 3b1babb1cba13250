import { expect, it } from 'vitest';
import { DiskPace } from './disk-pace.js';

it('does not wait for a disk that was slow several times in a row, until it is tried again', () => {
  const pace = new DiskPace(4);
  for (const ms of [9, 9, 9, 1, 9, 9, 9]) pace.took(ms);
  expect(pace.isFast()).toBe(true);
  pace.took(9);
  expect(pace.isSlow).toBe(true);
  expect(Array.from({ length: 200 }, () => pace.isFast())).not.toContain(true);
  expect([pace.isSlow, pace.isFast()]).toEqual([false, true]);
});
