import { ArrowDown, ArrowUp, Columns3, Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/buttons.js';
import type { SongOrder, SongSource } from '../../../lib/song-sources.js';
import { lazyComponent } from '../../../ui/lazy-component.js';
import { openDialog } from '../../../ui/dialogs.js';
import { columnNames, columns as kinds, type Column } from '../columns.js';
import styles from './song-table.module.css';

/** Which columns a table has. */
export interface SongColumns {
  readonly number: 'track' | 'position' | 'none';
  /** Number of the disc before that of the song. */
  readonly hasDiscs: boolean;
  /** In their order. */
  readonly shown: readonly Column[];
}

/** Columns that mean something in a list. */
export const columnsOf = ({ kind }: SongSource, hasDiscs: boolean, shown: ReadonlySet<Column>): SongColumns => ({
  number: kind === 'album' ? 'track' : kind === 'playlist' || kind === 'top' ? 'position' : 'none',
  hasDiscs,
  shown: columnNames.filter((column) => shown.has(column) && !(kind === 'album' && column === 'album')),
});

const numberOf = ({ track, disk }: Song, row: number, { number, hasDiscs }: SongColumns): string => {
  if (number === 'position') return String(row + 1);
  if (number === 'none' || track === 0) return '';
  return hasDiscs ? `${disk}–${track}` : String(track);
};

interface RowProps {
  readonly song: Song;
  readonly row: number;
  readonly columns: SongColumns;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** The row that Tab reaches. */
  readonly isActive: boolean;
  readonly onPlay: () => void;
  readonly onToggle: () => void;
  readonly onMenu: (button: HTMLElement) => void;
}

/** Cells of a song. */
export const SongRow = ({ song, row, columns, isCurrent, isSelected, isActive, onPlay, onToggle, onMenu }: RowProps): ReactNode => {
  const tab = isActive ? 0 : -1;
  return (
    <div className={styles['cells']} data-number={columns.number === 'none' ? undefined : ''}>
      <span role="gridcell" className={styles['number']}>
        <span>{numberOf(song, row, columns)}</span>
        <input type="checkbox" tabIndex={tab} checked={isSelected} aria-label={t.select(song.title)} onChange={onToggle} />
      </span>
      <span role="gridcell" className={styles['title']}>
        <button type="button" tabIndex={tab} className={styles['play']} aria-current={isCurrent || undefined} onClick={onPlay}>
          {song.title}
        </button>
        <span className={styles['below']}>{song.artist.name}</span>
      </span>
      {columns.shown.map((column) => (
        <span key={column} role="gridcell" className={styles[kinds[column].width]}>
          {kinds[column].cell(song, isActive)}
        </span>
      ))}
      <span role="gridcell" className={styles['button']}>
        <IconButton icon={Ellipsis} label={t.more(song.title)} isInTabOrder={isActive} onPress={onMenu} />
      </span>
    </div>
  );
};

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
    {columns.shown.map((column) => {
      const { name, width } = kinds[column];
      if (column === 'artist' || column === 'album') return <Heading key={column} column={column} name={name} sorting={sorting} />;
      return (
        <span key={column} role="columnheader" className={styles[width]}>
          {width === 'button' ? <Hidden text={name} /> : name}
        </span>
      );
    })}
    <span role="columnheader" className={styles['button']}>
      <IconButton icon={Columns3} label={t.columns} size={16} onPress={() => openDialog(<ColumnsDialog />)} />
    </span>
  </div>
);
