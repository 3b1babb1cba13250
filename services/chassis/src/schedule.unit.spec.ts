import { expect, it } from 'vitest';
import { isSchedule, nextTurn } from './schedule.js';

it('has turns by the clock of its zone, and takes no text that names none', () => {
  const midnight = Date.UTC(2026, 0, 1);
  expect(nextTurn('0 3 * * *', 'UTC', midnight)).toBe(midnight + 3 * 3_600_000);
  expect(nextTurn('0 3 * * *', 'Europe/Berlin', midnight)).toBe(midnight + 2 * 3_600_000);
  expect([isSchedule('*/10 * * * *'), isSchedule('sometimes'), isSchedule('61 * * * *')]).toEqual([true, false, false]);
});
