/** Browsers cap the height of an element (Firefox at 17.9 million device pixels); beyond this the scroll bar stands for more than it measures, CSS px. */
export const TALLEST_PX = 4_000_000;

/** Positions of the scroll bar and of the list, both from their beginnings, CSS px. */
export interface Scrolled {
  readonly barPx: number;
  readonly listPx: number;
}

/** Maps between the scroll bar and a list that may be taller than an element can be. */
export const scrollScale = (rowCount: number, rowPx: number, viewPx: number) => {
  const listPx = rowCount * rowPx;
  const barPx = Math.min(listPx, TALLEST_PX);
  const [listRange, barRange] = [Math.max(0, listPx - viewPx), Math.max(0, barPx - viewPx)];
  const toList = (bar: number): number => (barRange === 0 ? 0 : (bar / barRange) * listRange);
  const clamp = (list: number): number => Math.min(Math.max(0, list), listRange);
  return {
    barPx,
    isCompressed: listPx > barPx,
    toList,
    toBar: (list: number): number => (listRange === 0 ? 0 : (list / listRange) * barRange),
    clamp,
    /** Positions after the bar has moved: pixel by pixel for moves within the view, in proportion for those of a dragged bar. */
    moved: (before: Scrolled, bar: number): Scrolled => {
      const move = bar - before.barPx;
      const isDragged = listPx <= barPx || Math.abs(move) >= viewPx || bar <= 0 || bar >= barRange - 1;
      return { barPx: bar, listPx: clamp(isDragged ? toList(bar) : before.listPx + move) };
    },
  };
};
export type ScrollScale = ReturnType<typeof scrollScale>;
