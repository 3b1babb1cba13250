import type { ReactNode } from 'react';
import { usePages, type PagedSource } from '../lib/use-pages.js';
import styles from './paged-list.module.css';
import { QueryState } from './view.js';
import { VirtualList } from './virtual-list.js';

/** A long list of one line each, of which the pages in view are fetched. In each line an element marked by `data-focus` takes the focus. */
export const PagedList = <T,>({
  source,
  label,
  name = label,
  emptyText,
  intro,
  rowPx = 64,
  children,
}: {
  readonly source: PagedSource<T>;
  readonly label: string;
  /** Tells lists of one view apart. */
  readonly name?: string;
  readonly emptyText: string;
  /** Stands above the list and scrolls with it. */
  readonly intro?: ReactNode;
  readonly rowPx?: number;
  /** Cells of a line. */
  readonly children: (item: T, isActive: boolean) => ReactNode;
}): ReactNode => {
  const { total, state, starts, itemAt, onSeen } = usePages(source);
  return (
    <VirtualList
      name={name}
      label={label}
      rowCount={total}
      rowPx={rowPx}
      columns={1}
      intro={
        <>
          {intro}
          <QueryState of={state} emptyText={emptyText} />
        </>
      }
      starts={starts}
      onSeen={onSeen}
    >
      {(row, isActive) => {
        const item = itemAt(row);
        return (
          item && (
            <div className={styles['row']} role="presentation">
              {children(item, isActive)}
            </div>
          )
        );
      }}
    </VirtualList>
  );
};
