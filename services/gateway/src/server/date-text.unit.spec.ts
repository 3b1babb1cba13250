import { describe, expect, it } from 'vitest';
import { instantOfText, isoText } from './date-text.js';

const nowMs = Date.UTC(2026, 10, 21, 14, 30, 5);
const read = (text: string): string | undefined => {
  const atMs = instantOfText(text, nowMs);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString().replace('.000Z', '');
};

describe('the text of a date', () => {
  it.each([
    ['2024-01-02', '2024-01-02T00:00:00'],
    ['2024-01-02 10:20:30', '2024-01-02T10:20:30'],
    ['2024-01-02T10:20:30+02:00', '2024-01-02T08:20:30'],
    ['1704153600', '2024-01-02T00:00:00'],
    ['@1704153600', '2024-01-02T00:00:00'],
    ['@0', '1970-01-01T00:00:00'],
    ['now', '2026-11-21T14:30:05'],
    ['Today', '2026-11-21T00:00:00'],
    ['yesterday', '2026-11-20T00:00:00'],
    ['tomorrow', '2026-11-22T00:00:00'],
    ['-1 week', '2026-11-14T14:30:05'],
    ['3 days ago', '2026-11-18T14:30:05'],
    ['+2 hours', '2026-11-21T16:30:05'],
    ['last month', '2026-10-21T14:30:05'],
    ['-2 years', '2024-11-21T14:30:05'],
  ])('%j is %s', (text, instant) => expect(read(text)).toBe(instant));
  it.each(['soon', '', '3 constructors ago', 'last toString', '9'.repeat(100)])('%j is none', (text) => expect(read(text)).toBeUndefined());
});

it('writes an instant as Date does', () => {
  const instants = [
    0, 1, 999, 1000, 59_999, 3_599_999, 86_399_999, 86_400_000, -1, -86_400_001, 1_795_383_440_658, 253_402_300_800_000,
    -62_198_755_200_000, 8.64e15, -8.64e15, 12.5,
  ];
  for (const atMs of [...instants, ...instants.toReversed()]) expect(isoText(atMs)).toBe(new Date(atMs).toISOString());
  for (const atMs of [8.64e15 + 1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => isoText(atMs)).toThrow(RangeError);
});
