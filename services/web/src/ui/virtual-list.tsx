import {
  memo,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import type { ListStart } from '../lib/joined-starts.js';
import { t } from '../messages/index.js';
import type { SeenRows } from '../lib/use-pages.js';
import styles from './virtual-list.module.css';
import { cellAfterKey } from './grid-keys.js';
import { useVirtualRows, type VirtualRows } from './use-virtual-rows.js';

/** Letters or years of a long list; each leads to its first entry. */
const StartRail = ({
  label,
  starts,
  onChoose,
}: {
  /** Name of the list. */
  readonly label: string;
  readonly starts: readonly ListStart[];
  readonly onChoose: (index: number) => void;
}): ReactNode => (
  <nav className={styles['rail']} aria-label={t.jumpIn(label)}>
    {starts.map(({ name, index }) => (
      <button key={index} type="button" aria-label={t.jumpTo(name)} onClick={() => onChoose(index)}>
        {name}
      </button>
    ))}
  </nav>
);

interface ListProps {
  /** Tells the lists of one view apart; their positions are kept for the way back. */
  readonly name: string;
  readonly label: string;
  readonly rowCount: number;
  readonly rowPx: number;
  /** Cells in a row, each with an element marked by `data-focus`; without columns the row takes the focus. */
  readonly columns?: number;
  readonly cellCount?: number;
  /** Stands above the rows and scrolls with them. */
  readonly intro?: ReactNode;
  /** A row with the names of the columns, which sticks to the upper edge. */
  readonly header?: ReactNode;
  readonly rowClass?: string | undefined;
  readonly rowProps?: (row: number) => HTMLAttributes<HTMLDivElement>;
  readonly isMultiSelectable?: boolean;
  /** Letters or years to jump to, by the indices of cells. */
  readonly starts?: readonly ListStart[] | undefined;
  readonly onSeen?: (rows: SeenRows) => void;
  /** A key that does not move the focus, with the row that has it. */
  readonly onRowKey?: (event: KeyboardEvent, row: number) => void;
  /** The focus has moved from a row to another by a key. */
  readonly onMove?: (event: KeyboardEvent, from: number, to: number) => unknown;
  readonly children: (row: number, isActive: boolean) => ReactNode;
}

const elementOf = (bar: HTMLElement | null, cell: number, columns: number): HTMLElement | undefined => {
  const row = bar?.querySelector<HTMLElement>(`[data-row="${Math.floor(cell / columns)}"]`) ?? undefined;
  return row?.querySelectorAll<HTMLElement>('[data-focus]')[cell % columns] ?? row;
};

/** Moves the focus between cells by keys; the cell that has it may have to be scrolled to and made first. */
const useFocusedCell = (props: ListProps, rows: VirtualRows) => {
  const { columns = 1, rowCount, cellCount = rowCount, onMove, onRowKey } = props;
  const [active, setActive] = useState(0);
  const isMoving = useRef(false);
  useEffect(() => {
    if (!isMoving.current) return;
    const element = elementOf(rows.bar.current, active, columns);
    if (!element) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  });
  const rowOfEvent = ({ target }: KeyboardEvent): number => {
    const row = (target as HTMLElement).closest<HTMLElement>('[data-row]');
    return row ? Number(row.dataset['row']) : rows.firstInView;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.target instanceof HTMLInputElement) return onRowKey?.(event, rowOfEvent(event));
    // While the focus is on its way, the next key goes on from where it goes.
    const cell = isMoving.current || Math.floor(active / columns) === rowOfEvent(event) ? active : rowOfEvent(event) * columns;
    const next = cellAfterKey(event.key, cell, { cellCount, columns, rowsInView: rows.rowsInView, isRightToLeft: document.dir === 'rtl' });
    if (next === undefined) return onRowKey?.(event, rowOfEvent(event));
    event.preventDefault();
    isMoving.current = true;
    rows.reveal(Math.floor(next / columns));
    setActive(next);
    onMove?.(event, Math.floor(cell / columns), Math.floor(next / columns));
  };
  const activeRow = Math.floor(active / columns);
  // A row that has been scrolled away cannot be reached by Tab: the first one in view can.
  const stop = activeRow >= rows.first && activeRow <= rows.last ? activeRow : rows.firstInView;
  const onFocus = ({ target }: FocusEvent): void => {
    const row = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (row !== undefined) setActive((before) => (Math.floor(before / columns) === Number(row) ? before : Number(row) * columns));
  };
  return { stop, onKeyDown, onFocus };
};

interface RowProps extends Pick<ListProps, 'rowPx' | 'columns' | 'rowClass' | 'rowProps' | 'children'> {
  readonly row: number;
  readonly rowIndex: number;
  readonly offsetPx: number;
  readonly isActive: boolean;
}

/** A row; while the list scrolls, the rows that stay are not made anew. */
const Row = memo(({ row, rowIndex, rowPx, offsetPx, columns, isActive, rowClass = '', rowProps, children }: RowProps): ReactNode => (
  <div
    role="row"
    data-row={row}
    aria-rowindex={rowIndex}
    tabIndex={columns === undefined ? (isActive ? 0 : -1) : undefined}
    className={`${styles['row']} ${rowClass}`}
    {...rowProps?.(row)}
    style={{ transform: `translateY(${offsetPx}px)`, height: rowPx }}
  >
    {children(row, isActive)}
  </div>
));

const RowsInView = ({
  rows: { first, last, offsetOf },
  stop,
  headerRows,
  rowPx,
  columns,
  rowClass,
  rowProps,
  children,
}: ListProps & { readonly rows: VirtualRows; readonly stop: number; readonly headerRows: number }): ReactNode =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((row) => (
    <Row
      key={row}
      row={row}
      rowIndex={row + 1 + headerRows}
      offsetPx={offsetOf(row)}
      isActive={row === stop}
      {...{ rowPx, columns, rowClass, rowProps }}
    >
      {children}
    </Row>
  ));

/**
 * Shows the rows of a long list that are in view. A list taller than browsers allow is scrolled pixel by pixel as long as the moves are small, and in proportion
 * when the bar is dragged. Arrow keys, Page Up and Down, Home and End move the focus.
 */
export const VirtualList = (props: ListProps): ReactNode => {
  const { name, label, rowCount, rowPx, columns = 1, intro, header, isMultiSelectable, starts = [], onSeen } = props;
  const rows = useVirtualRows(name, rowCount, rowPx);
  const { view, bar, barPx, first, last, onScroll } = rows;
  const { stop, onKeyDown, onFocus } = useFocusedCell(props, rows);
  useLayoutEffect(() => {
    if (last >= first) onSeen?.({ first, last });
  }, [first, last, onSeen]);
  const headerRows = header === undefined ? 0 : 1;
  return (
    <div className={styles['frame']}>
      <div ref={view} className={styles['view']} onScroll={onScroll}>
        <div>{intro}</div>
        <div
          role="grid"
          aria-label={label}
          aria-rowcount={rowCount + headerRows}
          aria-multiselectable={isMultiSelectable}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        >
          {header !== undefined && (
            <div role="row" aria-rowindex={1} className={styles['header']}>
              {header}
            </div>
          )}
          <div ref={bar} className={styles['bar']} style={{ height: barPx }} role="rowgroup">
            <RowsInView {...props} rows={rows} stop={stop} headerRows={headerRows} />
          </div>
        </div>
      </div>
      {starts.length > 0 && <StartRail label={label} starts={starts} onChoose={(cell) => rows.showFirst(Math.floor(cell / columns))} />}
    </div>
  );
};
