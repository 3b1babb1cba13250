import { useInfiniteQuery } from '@tanstack/react-query';
import { Check, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/buttons.js';
import { Failure, Notice } from '../../../ui/view.js';
import { listQuery, type ItemOf, type ListPath, type ListSelection } from '../api.js';
import { m } from '../messages/index.js';
import styles from '../manage.module.css';
import { useRun } from './use-run.js';

/** A column of a table. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (item: T) => ReactNode;
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean;
}

/** Something that can be done with a row. What `run` changes is fetched again; its failure is announced. */
export interface RowAction<T> {
  readonly name: (item: T) => string;
  readonly icon: LucideIcon;
  readonly run: (item: T) => unknown;
  readonly isFor?: (item: T) => boolean;
}

export interface ItemTableProps<P extends ListPath> {
  readonly title: string;
  readonly list: P;
  readonly selection?: ListSelection;
  readonly columns: readonly Column<ItemOf<P>>[];
  readonly keyOf: (item: ItemOf<P>) => string | number;
  readonly actions?: readonly RowAction<ItemOf<P>>[];
  /** Sentence in place of an empty table. */
  readonly empty: string;
  /** With nothing in it only its sentence is left, below the other tables. */
  readonly isGoodWhenEmpty?: boolean;
  /** Filter of the fetched items. */
  readonly isShown?: (item: ItemOf<P>) => boolean;
  /** Buttons and fields beside the title. */
  readonly tools?: ReactNode;
  /** Interval of fetching again while the table is shown, for lists without events of the server, ms. */
  readonly everyMs?: number;
}

const Row = <T,>({
  item,
  columns,
  actions,
}: {
  readonly item: T;
  readonly columns: readonly Column<T>[];
  readonly actions: readonly RowAction<T>[];
}): ReactNode => {
  const run = useRun();
  return (
    <tr>
      {columns.map(({ name, cell, isNumber }) => (
        <td key={name} data-number={isNumber || undefined}>
          {cell(item)}
        </td>
      ))}
      {actions.length > 0 && (
        <td className={styles['actions']}>
          {actions
            .filter(({ isFor }) => isFor?.(item) ?? true)
            .map((action) => (
              <IconButton
                key={action.name(item)}
                icon={action.icon}
                label={action.name(item)}
                onPress={() => run((async () => action.run(item))())}
              />
            ))}
        </td>
      )}
    </tr>
  );
};

/** A list of the management API as a table, with what can be done with each row. */
export const ItemTable = <P extends ListPath>({
  title,
  list,
  selection,
  columns,
  keyOf,
  actions = [],
  empty,
  isGoodWhenEmpty = false,
  isShown = () => true,
  tools,
  everyMs,
}: ItemTableProps<P>): ReactNode => {
  const query = useInfiniteQuery(listQuery(list, selection, everyMs));
  const items = query.data?.pages.flatMap((page) => page.items.filter(isShown));
  if (isGoodWhenEmpty && items?.length === 0)
    return (
      <p className={styles['good']}>
        <Check size={18} aria-hidden /> {empty}
      </p>
    );
  return (
    <section className={styles['section']}>
      <header className={styles['head']}>
        <h2>{title}</h2>
        {tools}
      </header>
      {query.error && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {!items && !query.error && <Notice>{t.loading}</Notice>}
      {items?.length === 0 && <p className={styles['empty']}>{empty}</p>}
      {items && items.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on phones it scrolls sideways, also by keys
        <div className={styles['wide']} role="region" aria-label={title} tabIndex={0}>
          <table className={styles['table']}>
            <thead>
              <tr>
                {columns.map(({ name, isNumber }) => (
                  <th key={name} scope="col" data-number={isNumber || undefined}>
                    {name}
                  </th>
                ))}
                {actions.length > 0 && <th scope="col">{m.actions}</th>}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Row key={keyOf(item)} item={item} columns={columns} actions={actions} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {query.hasNextPage && (
        <button type="button" className={styles['more']} onClick={() => void query.fetchNextPage()}>
          {m.more}
        </button>
      )}
    </section>
  );
};
