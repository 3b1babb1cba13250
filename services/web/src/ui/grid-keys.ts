/** Size of a list of cells in rows. */
export interface GridSize {
  readonly cellCount: number;
  readonly columns: number;
  /** Rows that are in view at once. */
  readonly rowsInView: number;
  /** Cells follow each other from right to left. */
  readonly isRightToLeft?: boolean;
}

/** Cell that a key moves to from another; undefined for keys that do not move. */
export const cellAfterKey = (
  key: string,
  cell: number,
  { cellCount, columns, rowsInView, isRightToLeft = false }: GridSize,
): number | undefined => {
  const page = columns * Math.max(1, rowsInView - 1);
  const right = isRightToLeft ? -1 : 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: cell + columns,
    ArrowUp: cell - columns,
    PageDown: cell + page,
    PageUp: cell - page,
    Home: 0,
    End: cellCount - 1,
    ...(columns > 1 ? { ArrowRight: cell + right, ArrowLeft: cell - right } : {}),
  };
  const next = moves[key];
  return next === undefined || cellCount === 0 ? undefined : Math.min(Math.max(0, next), cellCount - 1);
};
