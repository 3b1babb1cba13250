import { describe, expect, it } from 'vitest';
import { cellAfterKey } from './grid-keys.js';

const list = { cellCount: 100, columns: 1, rowsInView: 10 };
const grid = { cellCount: 10, columns: 4, rowsInView: 2 };

describe('cellAfterKey', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 5, 4],
    ['ArrowUp', 0, 0],
    ['ArrowDown', 99, 99],
    ['PageDown', 5, 14],
    ['PageUp', 5, 0],
    ['Home', 50, 0],
    ['End', 50, 99],
  ])('%s moves from row %i of a list to row %i', (key, from, to) => expect(cellAfterKey(key, from, list)).toBe(to));

  it.each([
    ['ArrowRight', 3, 4],
    ['ArrowLeft', 4, 3],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 7, 9],
  ])('%s moves from cell %i of a grid to cell %i', (key, from, to) => expect(cellAfterKey(key, from, grid)).toBe(to));

  it.each([
    ['ArrowRight', 4, 3],
    ['ArrowLeft', 3, 4],
  ])('%s moves from cell %i to cell %i where the grid runs from right to left', (key, from, to) =>
    expect(cellAfterKey(key, from, { ...grid, isRightToLeft: true })).toBe(to),
  );

  it('leaves other keys alone, and left and right in a list of one column', () =>
    expect([cellAfterKey('a', 1, list), cellAfterKey('ArrowLeft', 1, list)]).toEqual([undefined, undefined]));

  it('moves nowhere in an empty list', () => expect(cellAfterKey('End', 0, { ...list, cellCount: 0 })).toBeUndefined());
});
