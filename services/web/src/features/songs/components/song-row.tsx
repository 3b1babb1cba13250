import { Ellipsis } from 'lucide-react';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import { Heart, Stars } from '../../marks/index.js';
import type { SongSource } from '../../../lib/song-sources.js';
import { textColumns, type Column } from '../columns.js';
import styles from './song-table.module.css';

/** Which columns a table has. */
export interface SongColumns {
  readonly number: 'track' | 'position' | 'none';
  /** Number of the disc before that of the song. */
  readonly hasDiscs: boolean;
  readonly shown: ReadonlySet<Column>;
}

/** Columns that mean something in a list. */
export const columnsOf = ({ kind }: SongSource, hasDiscs: boolean, shown: ReadonlySet<Column>): SongColumns => ({
  number: kind === 'album' ? 'track' : kind === 'playlist' || kind === 'top' ? 'position' : 'none',
  hasDiscs,
  shown: kind === 'album' ? shown.difference(new Set<Column>(['album'])) : shown,
});

const numberOf = ({ track, disk }: Song, row: number, { number, hasDiscs }: SongColumns): string => {
  if (number === 'position') return String(row + 1);
  if (number === 'none' || track === 0) return '';
  return hasDiscs ? `${disk}–${track}` : String(track);
};

/** A link in a row. The router's own component follows each change of the address, which would make long lists slow. */
const RowLink = ({ to, name, tab }: { readonly to: string; readonly name: string; readonly tab: 0 | -1 }): ReactNode => {
  const { history } = useRouter();
  const follow = (event: MouseEvent): void => {
    // Other clicks open another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.push(to);
  };
  return (
    <a href={`#${to}`} tabIndex={tab} onClick={follow}>
      {name}
    </a>
  );
};

/** Cells of the chosen columns. */
const Facts = ({
  song,
  shown,
  isActive,
}: {
  readonly song: Song;
  readonly shown: ReadonlySet<Column>;
  readonly isActive: boolean;
}): ReactNode => {
  const tab = isActive ? 0 : -1;
  return (
    <>
      {shown.has('artist') && (
        <span role="gridcell" className={styles['artist']}>
          <RowLink to={`/artists/${song.artist.id}`} name={song.artist.name} tab={tab} />
        </span>
      )}
      {shown.has('album') && (
        <span role="gridcell" className={styles['album']}>
          <RowLink to={`/albums/${song.album.id}`} name={song.album.name} tab={tab} />
        </span>
      )}
      {(Object.keys(textColumns) as (keyof typeof textColumns)[]).map(
        (column) =>
          shown.has(column) && (
            <span key={column} role="gridcell" className={styles['text']}>
              {textColumns[column](song)}
            </span>
          ),
      )}
      {shown.has('rating') && (
        <span role="gridcell" className={styles['stars']}>
          <Stars kind="song" object={song} name={song.title} size={14} isInTabOrder={isActive} />
        </span>
      )}
      {shown.has('favourite') && (
        <span role="gridcell" className={styles['button']}>
          <Heart kind="song" object={song} name={song.title} isInTabOrder={isActive} />
        </span>
      )}
      {shown.has('time') && (
        <span role="gridcell" className={styles['time']}>
          {clock(song.time)}
        </span>
      )}
    </>
  );
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
    <div className={styles['cells']} data-current={isCurrent || undefined} data-number={columns.number === 'none' ? undefined : ''}>
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
      <Facts song={song} shown={columns.shown} isActive={isActive} />
      <span role="gridcell" className={styles['button']}>
        <IconButton icon={Ellipsis} label={t.more(song.title)} size={18} isInTabOrder={isActive} onPress={onMenu} />
      </span>
    </div>
  );
};
