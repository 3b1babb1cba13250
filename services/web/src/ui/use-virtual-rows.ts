import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useKeptPosition } from './kept-position.js';
import { scrollScale, type Scrolled } from './scroll-scale.js';

/** Rows made beyond both edges. */
const SPARE_ROWS = 6;

/** Rows of a long list that are made, and where. */
export interface VirtualRows {
  readonly view: RefObject<HTMLDivElement | null>;
  readonly bar: RefObject<HTMLDivElement | null>;
  readonly barPx: number;
  /** First and last row that is made. */
  readonly first: number;
  readonly last: number;
  /** First row that is seen whole, and how many are. */
  readonly firstInView: number;
  readonly rowsInView: number;
  readonly offsetOf: (row: number) => number;
  readonly onScroll: () => void;
  readonly onScrollEnd: () => void;
  /** Scrolls as little as needed for a row to be seen. */
  readonly reveal: (row: number) => void;
}

interface Box {
  readonly viewPx: number;
  /** Height of what stands above the rows and scrolls with them. */
  readonly introPx: number;
}

const useBox = (view: RefObject<HTMLDivElement | null>, bar: RefObject<HTMLDivElement | null>): Box => {
  const [box, setBox] = useState<Box>({ viewPx: 0, introPx: 0 });
  useLayoutEffect(() => {
    const [viewElement, barElement] = [view.current, bar.current];
    if (!viewElement || !barElement) return undefined;
    const measure = (): void => {
      const introPx = barElement.getBoundingClientRect().top - viewElement.getBoundingClientRect().top + viewElement.scrollTop;
      const sticky = barElement.previousElementSibling?.getBoundingClientRect().height ?? 0;
      setBox({ viewPx: viewElement.clientHeight - sticky, introPx: Math.round(introPx - sticky) });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(viewElement);
    for (const child of viewElement.children) observer.observe(child);
    return () => observer.disconnect();
  }, [view, bar]);
  return box;
};

/** Position from the history, once the list is as tall as it was. */
const useRestored = (isReady: boolean, restore: () => void): void =>
  useLayoutEffect(() => {
    if (isReady) restore();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the list first has its rows
  }, [isReady]);

/** Computes which rows of a list are in view. Rows have one height, so every position is arithmetic. @param name tells the lists of one view apart */
export const useVirtualRows = (name: string, rowCount: number, rowPx: number): VirtualRows => {
  const [view, bar] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const { viewPx, introPx } = useBox(view, bar);
  const kept = useKeptPosition(name);
  const [{ barPx: barTop, listPx: top }, setScrolled] = useState<Scrolled>({ barPx: 0, listPx: 0 });
  const scale = useMemo(() => scrollScale(rowCount, rowPx, viewPx), [rowCount, rowPx, viewPx]);

  const goTo = (list: number): void => {
    const element = view.current;
    if (!element) return;
    const barTo = scale.toBar(scale.clamp(list));
    element.scrollTop = introPx + barTo;
    setScrolled({ barPx: barTo, listPx: scale.clamp(list) });
  };
  useRestored(viewPx > 0 && rowCount > 0, () => {
    const px = kept.get();
    if (px > 0) goTo(px);
  });
  const onScroll = useCallback(() => {
    const element = view.current;
    if (!element) return;
    setScrolled((before) => {
      const next = scale.moved(before, Math.max(0, element.scrollTop - introPx));
      kept.set(next.listPx);
      return next;
    });
  }, [introPx, kept, scale]);
  const reveal = (row: number): void => {
    const element = view.current;
    if (!element) return;
    const shownPx = viewPx - Math.max(0, introPx - element.scrollTop);
    if (row === 0) element.scrollTop = 0;
    else if (row * rowPx < top) goTo(row * rowPx);
    else if ((row + 1) * rowPx > top + shownPx) goTo((row + 1) * rowPx - viewPx);
  };
  return {
    view,
    bar,
    barPx: scale.barPx,
    first: Math.max(0, Math.floor(top / rowPx) - SPARE_ROWS),
    last: Math.min(rowCount - 1, Math.ceil((top + viewPx) / rowPx) + SPARE_ROWS),
    firstInView: Math.ceil(top / rowPx),
    rowsInView: Math.max(1, Math.floor(viewPx / rowPx)),
    offsetOf: (row) => row * rowPx - top + barTop,
    onScroll,
    // After many small moves the bar of a compressed list stands elsewhere than the list: it is put right while nothing moves.
    onScrollEnd: () => scale.isCompressed && Math.abs(scale.toBar(top) - barTop) > 1 && goTo(top),
    reveal,
  };
};
