import { describe, expect, it } from 'vitest';
import { rowAfter } from './drop-place.js';

describe('rowAfter', () => {
  it.each([
    [0, 3, 'after', 3],
    [0, 3, 'before', 2],
    [3, 0, 'before', 0],
    [3, 0, 'after', 1],
    [2, 2, 'before', 2],
    [2, 2, 'after', 2],
    [1, 2, 'before', 1],
  ] as const)('row %i dropped on row %i, %s it, is row %i then', (dragged, row, side, expected) =>
    expect(rowAfter(dragged, { row, side })).toBe(expected),
  );
});
