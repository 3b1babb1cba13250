import { lazyComponent } from '../../../ui/lazy-component.js';
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SongOrder } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { columnNames, textColumns } from '../columns.js';
import type { SongColumns } from './song-row.js';
import styles from './song-table.module.css';

const ColumnsDialog = lazyComponent(() => import('./columns-dialog.js'), 'ColumnsDialog');

/** The order of a list that can be chosen. */
export interface Sorting {
  readonly order: SongOrder;
  readonly onOrder: (order: SongOrder) => void;
}

const Hidden = ({ text }: { readonly text: string }): ReactNode => <span className={styles['hidden']}>{text}</span>;

/** Name of a column; where the order can be chosen, a button that orders by it, the second time the other way round. */
const Heading = ({
  column,
  name,
  sorting,
}: {
  readonly column: 'title' | 'artist' | 'album';
  readonly name: string;
  readonly sorting: Sorting | undefined;
}): ReactNode => {
  const isUp = sorting?.order === column;
  const isDown = sorting?.order === `${column},DESC`;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <span role="columnheader" className={styles[column]} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      {sorting ? (
        <button type="button" className={styles['sort']} onClick={() => sorting.onOrder(isUp ? `${column},DESC` : column)}>
          {name} {(isUp || isDown) && <Arrow size={14} aria-hidden />}
        </button>
      ) : (
        name
      )}
    </span>
  );
};

/** Names of the columns; those of buttons are for screen readers. */
export const SongHeader = ({ columns, sorting }: { readonly columns: SongColumns; readonly sorting?: Sorting | undefined }): ReactNode => (
  <div className={styles['cells']} data-number={columns.number === 'none' ? undefined : ''} role="presentation">
    <span role="columnheader" className={styles['number']}>
      {columns.number === 'none' ? <Hidden text={t.selection} /> : <span>{t.numberSign}</span>}
    </span>
    <Heading column="title" name={t.title} sorting={sorting} />
    {columns.shown.has('artist') && <Heading column="artist" name={t.artist} sorting={sorting} />}
    {columns.shown.has('album') && <Heading column="album" name={t.album} sorting={sorting} />}
    {(Object.keys(textColumns) as (keyof typeof textColumns)[]).map(
      (column) =>
        columns.shown.has(column) && (
          <span key={column} role="columnheader" className={styles['text']}>
            {columnNames[column]}
          </span>
        ),
    )}
    {columns.shown.has('rating') && (
      <span role="columnheader" className={styles['stars']}>
        {t.rating}
      </span>
    )}
    {columns.shown.has('favourite') && (
      <span role="columnheader" className={styles['button']}>
        <Hidden text={t.favourites} />
      </span>
    )}
    {columns.shown.has('time') && (
      <span role="columnheader" className={styles['time']}>
        {t.time}
      </span>
    )}
    <span role="columnheader" className={styles['button']}>
      <IconButton icon={Columns3} label={t.columns} size={16} onPress={() => openDialog(<ColumnsDialog />)} />
    </span>
  </div>
);
