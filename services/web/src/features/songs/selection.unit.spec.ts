import { describe, expect, it } from 'vitest';
import { extendTo, isSelected, NOTHING_SELECTED, selectAll, selectedCount, selectOnly, toggleRow } from './selection.js';

describe('a selection of rows', () => {
  it('joins rows that stand side by side into one range', () => {
    const rows = [3, 5, 4].reduce(toggleRow, NOTHING_SELECTED);
    expect(rows.ranges).toEqual([{ from: 3, to: 5 }]);
    expect(selectedCount(rows)).toBe(3);
  });

  it('splits a range when a row in it is taken out', () => {
    const rows = toggleRow(extendTo(selectOnly(2), 6), 4);
    expect(rows.ranges).toEqual([
      { from: 2, to: 3 },
      { from: 5, to: 6 },
    ]);
    expect([isSelected(rows, 4), isSelected(rows, 5)]).toEqual([false, true]);
  });

  it('keeps ranges apart and in order', () =>
    expect(toggleRow(toggleRow(NOTHING_SELECTED, 9), 2).ranges).toEqual([
      { from: 2, to: 2 },
      { from: 9, to: 9 },
    ]));

  it('extends from the row that was chosen last, in both directions', () => {
    expect(extendTo(selectOnly(5), 2).ranges).toEqual([{ from: 2, to: 5 }]);
    expect(extendTo(extendTo(selectOnly(5), 2), 8).ranges).toEqual([{ from: 5, to: 8 }]);
  });

  it('selects a million rows as one range', () => {
    expect(selectAll(1_000_000).ranges).toHaveLength(1);
    expect(selectedCount(selectAll(1_000_000))).toBe(1_000_000);
  });

  it('selects nothing of an empty list', () => expect(selectAll(0).ranges).toEqual([]));

  it('takes the only row out again', () => expect(toggleRow(selectOnly(1), 1).ranges).toEqual([]));
});
