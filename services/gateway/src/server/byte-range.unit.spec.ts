import { describe, expect, it } from 'vitest';
import { parseRange } from './byte-range.js';

describe('a range of bytes', () => {
  it('is read against the size of the file', () => {
    expect(parseRange('bytes=0-9', 100)).toEqual({ start: 0, end: 9 });
    expect(parseRange('bytes=90-', 100)).toEqual({ start: 90, end: 99 });
    expect(parseRange('bytes=-10', 100)).toEqual({ start: 90, end: 99 });
    expect(parseRange('bytes=-1000', 100)).toEqual({ start: 0, end: 99 });
    expect(parseRange('bytes=0-4, 6-7', 100)).toBeUndefined();
    expect(parseRange('bytes=9-3', 100)).toBeUndefined();
  });

  it('is read at once, however many blanks stand in it', () => {
    expect(parseRange('bytes= 0 - 9 ', 100)).toEqual({ start: 0, end: 9 });
    expect(parseRange(`bytes=${' '.repeat(500_000)}x`, 100)).toBeUndefined();
  });

  it.each([15, 16, 30, 400, 4000])('beyond the end is unsatisfiable with %i digits', (digits) => {
    const far = '9'.repeat(digits);
    expect(parseRange(`bytes=${far}-`, 100)).toBe('unsatisfiable');
    expect(parseRange(`bytes=${far}-${far}`, 100)).toBe('unsatisfiable');
    expect(parseRange(`bytes=0-${far}`, 100)).toEqual({ start: 0, end: 99 });
    expect(parseRange(`bytes=-${far}`, 100)).toEqual({ start: 0, end: 99 });
  });
});
