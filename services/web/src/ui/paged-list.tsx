import { useQueries, useQuery, type QueryKey } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Page } from '../lib/api.js';
import { useListStarts, type OrderedList } from '../lib/list-starts.js';
import { t } from '../messages/index.js';
import styles from './paged-list.module.css';
import { Failure, Notice } from './states.js';
import { VirtualList, type SeenRows } from './virtual-list.js';

/** A long list that the server answers in pages. */
export interface PagedSource<T> {
  readonly perPage: number;
  /** The same list, for its letters. */
  readonly ordered?: OrderedList;
  readonly query: (page: number) => {
    readonly queryKey: QueryKey;
    readonly queryFn: () => Promise<Page<T>>;
    readonly refetchInterval?: (query: { readonly state: { readonly data?: Page<T> | undefined } }) => number | false;
  };
}

/** A long list of one line each, of which the pages in view are fetched. In each line an element marked by `data-focus` takes the focus. */
export const PagedList = <T,>({
  source: { perPage, query, ordered },
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
  const [{ first, last }, setSeen] = useState<SeenRows>({ first: 0, last: 0 });
  const start = useQuery(query(0));
  const from = Math.floor(first / perPage);
  const pages = useQueries({ queries: Array.from({ length: Math.floor(last / perPage) - from + 1 }, (_, at) => query(from + at)) });
  const failed = [start, ...pages].find(({ error }) => error !== null);
  const total = start.data?.total;
  const starts = useListStarts(ordered, total ?? 0);
  const itemAt = (row: number): T | undefined => pages[Math.floor(row / perPage) - from]?.data?.items[row % perPage];
  return (
    <VirtualList
      name={name}
      label={label}
      rowCount={total ?? 0}
      rowPx={rowPx}
      columns={1}
      intro={
        <>
          {intro}
          {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
          {!failed && total === undefined && <Notice>{t.loading}</Notice>}
          {total === 0 && <Notice>{emptyText}</Notice>}
        </>
      }
      starts={starts}
      onSeen={setSeen}
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
