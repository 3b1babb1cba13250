import { describe, expect, it } from 'vitest';
import { describeGaps, formatGaps, gapsOf, joined, parseGaps, sizeOf, without } from './gaps.js';

describe('gaps', () => {
  it('are joined where they touch or overlap', () => {
    expect(
      joined([
        { from: 9, to: 12 },
        { from: 1, to: 3 },
        { from: 4, to: 5 },
        { from: 10, to: 11 },
      ]),
    ).toEqual([
      { from: 1, to: 5 },
      { from: 9, to: 12 },
    ]);
    expect(gapsOf([7, 1, 2, 3])).toEqual([
      { from: 1, to: 3 },
      { from: 7, to: 7 },
    ]);
  });

  it('lose exactly the positions of others', () => {
    const gaps = [
      { from: 1, to: 10 },
      { from: 20, to: 30 },
    ];
    expect(without(gaps, [])).toEqual(gaps);
    expect(without(gaps, [{ from: 4, to: 5 }])).toEqual([
      { from: 1, to: 3 },
      { from: 6, to: 10 },
      { from: 20, to: 30 },
    ]);
    expect(without(gaps, [{ from: 8, to: 25 }])).toEqual([
      { from: 1, to: 7 },
      { from: 26, to: 30 },
    ]);
    expect(without(gaps, [{ from: 1, to: 30 }])).toEqual([]);
    expect(without(gaps, [{ from: 11, to: 19 }])).toEqual(gaps);
  });

  it('are told to people without going on for ever, and kept so that they are read again', () => {
    const gaps = Array.from({ length: 8 }, (_, n) => ({ from: n * 10 + 1, to: n * 10 + 1 + (n % 2) }));
    expect(describeGaps(gaps.slice(0, 2))).toBe('1, 11 to 12');
    expect(describeGaps(gaps)).toBe('1, 11 to 12, 21, 31 to 32, 41 and 5 more');
    expect(sizeOf(gaps)).toBe(12);
    expect(parseGaps(formatGaps(gaps))).toEqual(gaps);
    expect(parseGaps('')).toEqual([]);
    expect(parseGaps('x-3,5-2,0-4,7-8')).toEqual([{ from: 7, to: 8 }]);
  });
});
