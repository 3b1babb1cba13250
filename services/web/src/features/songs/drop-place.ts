/** Where a dragged row would be put: before a row or after it. */
export interface DropPlace {
  readonly row: number;
  readonly side: 'before' | 'after';
}

/** Row that a dragged one has after it was dropped; the rows behind its old place have moved up. */
export const rowAfter = (dragged: number, { row, side }: DropPlace): number => {
  const place = side === 'before' ? row : row + 1;
  return dragged < place ? place - 1 : place;
};
