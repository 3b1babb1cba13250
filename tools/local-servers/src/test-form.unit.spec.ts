import { describe, expect, it } from 'vitest';
import { isLongForm, someOf } from './test-form.js';

const numbers = Array.from({ length: 90 }, (_, index) => index);

describe('some of a matrix', () => {
  it('is all of it where there are no more', () => {
    expect(someOf([1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(someOf([], 3)).toEqual([]);
  });

  it.skipIf(isLongForm)('is so many, in their order, the first among them', () => {
    const some = someOf(numbers, 30);
    expect(some).toHaveLength(30);
    expect(some[0]).toBe(0);
    expect(some).toEqual(some.toSorted((one, other) => one - other));
  });

  it.skipIf(isLongForm).each([2, 3, 5, 6, 9, 10])('has something of each column of %i', (columns) => {
    expect(new Set(someOf(numbers, 30).map((number) => number % columns)).size).toBe(columns);
  });
});
