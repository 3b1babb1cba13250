/** Rows from one to another, both included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Selected rows of a list, as ranges that do not touch, in order: a million selected rows are one range. */
export interface Selection {
  readonly ranges: readonly RowRange[];
  /** Row from which a selection by Shift extends. */
  readonly anchor: number;
}

export const NOTHING_SELECTED: Selection = { ranges: [], anchor: 0 };

const rangeOf = (one: number, other: number): RowRange => ({ from: Math.min(one, other), to: Math.max(one, other) });

const including = (ranges: readonly RowRange[], added: RowRange): readonly RowRange[] => {
  const apart = ranges.filter(({ from, to }) => to < added.from - 1 || from > added.to + 1);
  const touching = ranges.filter((range) => !apart.includes(range));
  const whole = {
    from: Math.min(added.from, ...touching.map(({ from }) => from)),
    to: Math.max(added.to, ...touching.map(({ to }) => to)),
  };
  return [...apart, whole].toSorted((one, other) => one.from - other.from);
};

const without = (ranges: readonly RowRange[], row: number): readonly RowRange[] =>
  ranges.flatMap((range) =>
    row < range.from || row > range.to
      ? [range]
      : [
          { from: range.from, to: row - 1 },
          { from: row + 1, to: range.to },
        ].filter(({ from, to }) => from <= to),
  );

export const isSelected = ({ ranges }: Selection, row: number): boolean => ranges.some(({ from, to }) => row >= from && row <= to);

export const selectedCount = ({ ranges }: Selection): number => ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Only this row. */
export const selectOnly = (row: number): Selection => ({ ranges: [{ from: row, to: row }], anchor: row });

/** This row as well, or not any more. */
export const toggleRow = (selection: Selection, row: number): Selection => ({
  ranges: isSelected(selection, row) ? without(selection.ranges, row) : including(selection.ranges, { from: row, to: row }),
  anchor: row,
});

/** All rows from the anchor to this one. */
export const extendTo = ({ anchor }: Selection, row: number): Selection => ({ ranges: [rangeOf(anchor, row)], anchor });

export const selectAll = (rowCount: number): Selection => ({ ranges: rowCount > 0 ? [{ from: 0, to: rowCount - 1 }] : [], anchor: 0 });
