import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useKeptPosition, type KeptPosition } from './kept-position.js';
import { scrollScale, type Scrolled, type ScrollScale } from './scroll-scale.js';

/** Steps of a pixel to which offsets of rows are rounded. */
const OFFSET_STEPS = 64;
/** Without a scroll event for so long nothing moves, ms. */
const IDLE_MS = 250;
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
  /** Scrolls as little as needed for a row to be seen. */
  readonly reveal: (row: number) => void;
  /** Scrolls a row to the upper edge. */
  readonly showFirst: (row: number) => void;
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

/** Where the list stands, and how it follows the scroll bar. */
const useScrolled = (view: RefObject<HTMLDivElement | null>, introPx: number, scale: ScrollScale, kept: KeptPosition) => {
  const [scrolled, setScrolled] = useState<Scrolled>({ barPx: 0, listPx: 0 });
  /** The positions that the next scroll event begins from, which may not have been rendered yet. */
  const latest = useRef(scrolled);
  const idle = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = useCallback(
    (next: Scrolled): void => {
      latest.current = next;
      kept.set(next.listPx);
      setScrolled(next);
    },
    [kept],
  );
  const goTo = useCallback(
    (list: number): void => {
      const element = view.current;
      if (!element) return;
      const next = { barPx: scale.toBar(scale.clamp(list)), listPx: scale.clamp(list) };
      show(next);
      element.scrollTop = introPx + next.barPx;
    },
    [introPx, scale, show],
  );
  const onScroll = useCallback(() => {
    const element = view.current;
    if (!element) return;
    const position = Math.max(0, element.scrollTop - introPx);
    // The event after a position was set here: browsers round it.
    show(Math.abs(position - latest.current.barPx) < 1 ? { ...latest.current, barPx: position } : scale.moved(latest.current, position));
    clearTimeout(idle.current);
    // After many small moves the bar of a compressed list stands elsewhere than the list: it is put right while nothing moves.
    if (scale.isCompressed)
      idle.current = setTimeout(() => {
        if (Math.abs(scale.toBar(latest.current.listPx) - latest.current.barPx) > 1) goTo(latest.current.listPx);
      }, IDLE_MS);
  }, [goTo, introPx, scale, show]);
  useEffect(() => () => clearTimeout(idle.current), []);
  return { scrolled, goTo, onScroll };
};

/** Computes which rows of a list are in view. Rows have one height, so every position is arithmetic. @param name tells the lists of one view apart */
export const useVirtualRows = (name: string, rowCount: number, rowPx: number): VirtualRows => {
  const [view, bar] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const { viewPx, introPx } = useBox(view, bar);
  const kept = useKeptPosition(name);
  const scale = useMemo(() => scrollScale(rowCount, rowPx, viewPx), [rowCount, rowPx, viewPx]);
  const { scrolled, goTo, onScroll } = useScrolled(view, introPx, scale, kept);
  const { barPx: barTop, listPx: top } = scrolled;
  useRestored(viewPx > 0 && rowCount > 0, () => {
    const px = kept.get();
    if (px > 0) goTo(px);
  });
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
    // Rounded, so that rows that stay where they are have the same offset in spite of what floating point adds.
    offsetOf: (row) => Math.round((row * rowPx - top + barTop) * OFFSET_STEPS) / OFFSET_STEPS,
    onScroll,
    reveal,
    showFirst: (row) => goTo(row * rowPx),
  };
};
