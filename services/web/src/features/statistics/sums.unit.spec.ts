import { describe, expect, it } from 'vitest';
import { currentStreak, periodOf, streaksOf, sumsOf } from './sums.js';

const heard = (day: string, hour: number, time: number) => ({ day, hour, plays: 1, time });

it('adds up seconds by hour, day of the week, month and day', () => {
  // The first of March 2026 is a Sunday.
  const { hours, weekdays, months, days } = sumsOf([heard('2026-03-01', 8, 60), heard('2026-03-01', 23, 30), heard('2026-03-02', 8, 5)]);
  expect([hours[8], hours[23], hours[0]]).toEqual([65, 30, 0]);
  expect([weekdays[6], weekdays[0]]).toEqual([90, 5]);
  expect([months[2], months[0]]).toEqual([95, 0]);
  expect([...days]).toEqual([
    ['2026-03-01', 90],
    ['2026-03-02', 5],
  ]);
});

describe('streaksOf', () => {
  it('counts days in a row, over the end of a month and a change of the clocks', () =>
    expect(streaksOf(['2026-03-30', '2026-03-28', '2026-03-29', '2026-02-28', '2026-03-01', '2026-05-05'])).toEqual([
      { length: 2, last: '2026-03-01' },
      { length: 3, last: '2026-03-30' },
      { length: 1, last: '2026-05-05' },
    ]));

  it('finds none where nothing was heard', () => expect(streaksOf([])).toEqual([]));
});

it.each([
  ['2026-03-30', 3],
  ['2026-03-31', 3],
  ['2026-04-01', 0],
])('a streak up to 30 March goes on, seen on %s, for %i days', (today, length) =>
  expect(currentStreak(streaksOf(['2026-03-28', '2026-03-29', '2026-03-30']), today)).toBe(length),
);

it.each([2023, 2024])('the year %i begins and ends at midnight and is no longer than the API takes', (year) => {
  const { since, until } = periodOf(year);
  expect(new Date(since * 1000).getMonth()).toBe(0);
  expect(until - since).toBeLessThanOrEqual(366 * 86_400);
});
