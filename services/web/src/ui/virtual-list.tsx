import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import styles from './virtual-list.module.css';

/** Browsers cap the height of an element (Firefox at 17.9 million device pixels); beyond this the scroll bar stands for more than it measures, CSS px. */
const TALLEST_PX = 4_000_000;
/** Rows made beyond both edges. */
const SPARE_ROWS = 6;

/** The rows that are seen, first to last, both included. */
export interface SeenRows {
  readonly first: number;
  readonly last: number;
}

/** Maps between the scroll bar and a list that may be taller than an element can be. */
export const scrollScale = (rowCount: number, rowPx: number, viewPx: number) => {
  const listPx = rowCount * rowPx;
  const barPx = Math.min(listPx, TALLEST_PX);
  const [listRange, barRange] = [Math.max(0, listPx - viewPx), Math.max(0, barPx - viewPx)];
  return {
    barPx,
    isCompressed: listPx > barPx,
    toList: (bar: number): number => (barRange === 0 ? 0 : (bar / barRange) * listRange),
    toBar: (list: number): number => (listRange === 0 ? 0 : (list / listRange) * barRange),
    clamp: (list: number): number => Math.min(Math.max(0, list), listRange),
  };
};

const restored = new Map<string, number>();

/**
 * Shows the rows of a long list that are in view. Rows have one height, so every position is arithmetic; a list taller than browsers allow is scrolled pixel by
 * pixel as long as the moves are small, and in proportion when the bar is dragged.
 * @param name under which the position is kept for the way back
 */
export const VirtualList = ({
  name,
  label,
  rowCount,
  rowPx,
  onSeen,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly rowCount: number;
  readonly rowPx: number;
  readonly onSeen?: (rows: SeenRows) => void;
  readonly children: (row: number) => ReactNode;
}): ReactNode => {
  const view = useRef<HTMLDivElement>(null);
  const bar = useRef(0);
  const [viewPx, setViewPx] = useState(0);
  const [top, setTop] = useState(() => restored.get(name) ?? 0);
  const scale = scrollScale(rowCount, rowPx, viewPx);

  useLayoutEffect(() => {
    const element = view.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setViewPx(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Once the list is as tall as it was, it goes back to where it was.
  useLayoutEffect(() => {
    const element = view.current;
    if (!element || viewPx === 0 || rowCount === 0) return;
    element.scrollTop = bar.current = scale.toBar(scale.clamp(restored.get(name) ?? 0));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the list first has rows
  }, [name, viewPx === 0, rowCount === 0]);

  const onScroll = useCallback(() => {
    const element = view.current;
    if (!element) return;
    const moved = element.scrollTop - bar.current;
    bar.current = element.scrollTop;
    const isSmall = scale.isCompressed && Math.abs(moved) < viewPx;
    const isAtEnd = element.scrollTop <= 0 || element.scrollTop >= scale.barPx - viewPx - 1;
    const next = scale.clamp(isSmall && !isAtEnd ? top + moved : scale.toList(element.scrollTop));
    restored.set(name, next);
    setTop(next);
  }, [name, scale, top, viewPx]);

  const first = Math.max(0, Math.floor(top / rowPx) - SPARE_ROWS);
  const last = Math.min(rowCount - 1, Math.ceil((top + viewPx) / rowPx) + SPARE_ROWS);
  useLayoutEffect(() => {
    if (last >= first) onSeen?.({ first, last });
  }, [first, last, onSeen]);

  const rows = [];
  for (let row = first; row <= last; row += 1)
    rows.push(
      <div
        key={row}
        role="row"
        aria-rowindex={row + 1}
        className={styles['row']}
        style={{ transform: `translateY(${row * rowPx - top + bar.current}px)`, height: rowPx }}
      >
        {children(row)}
      </div>,
    );
  return (
    <div ref={view} className={styles['view']} role="grid" aria-label={label} aria-rowcount={rowCount} tabIndex={0} onScroll={onScroll}>
      <div className={styles['bar']} style={{ height: scale.barPx }} role="presentation">
        {rows}
      </div>
    </div>
  );
};
