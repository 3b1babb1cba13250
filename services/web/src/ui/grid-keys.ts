/** Size of a list of cells in rows. */
export interface GridSize {
  readonly cellCount: number;
  readonly columns: number;
  /** Rows that are in view at once. */
  readonly rowsInView: number;
}

/** Cell that a key moves to from another; undefined for keys that do not move. */
export const cellAfterKey = (key: string, cell: number, { cellCount, columns, rowsInView }: GridSize): number | undefined => {
  const page = columns * Math.max(1, rowsInView - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: cell + columns,
    ArrowUp: cell - columns,
    PageDown: cell + page,
    PageUp: cell - page,
    Home: 0,
    End: cellCount - 1,
    ...(columns > 1 ? { ArrowRight: cell + 1, ArrowLeft: cell - 1 } : {}),
  };
  const next = moves[key];
  return next === undefined || cellCount === 0 ? undefined : Math.min(Math.max(0, next), cellCount - 1);
};
