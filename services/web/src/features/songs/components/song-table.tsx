import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { songsIn, type SongSource } from '../../../lib/song-sources.js';
import { usePages, type Pages } from '../../../lib/use-pages.js';
import { useWatched } from '../../../lib/watched.js';
import { t } from '../../../messages/index.js';
import { QueryState } from '../../../ui/view.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { player, usePlayer } from '../../player/index.js';
import type { SongAction } from '../song-action.js';
import { rowKeys, useRowProps, type RowActions } from '../hooks/row-handlers.js';
import { useSelection } from '../hooks/use-selection.js';
import { shownColumns } from '../columns.js';
import { SongActions, type OpenMenu } from './song-actions.js';
import { columnsOf, SongHeader, SongRow, type Sorting } from './song-row.js';
import styles from './song-table.module.css';

const ROW_PX = 48;

/** Properties of a table of songs. */
export interface TableProps {
  readonly source: SongSource;
  readonly label: string;
  /** Stands above the songs and scrolls with them. */
  readonly intro?: ReactNode;
  /** Said when the list has no songs. */
  readonly emptyText?: string;
  /** Actions of this list only. */
  readonly actions?: readonly SongAction[];
  readonly hasDiscs?: boolean;
  /** For lists whose order can be chosen. */
  readonly sorting?: Sorting;
  /** Moves a song of the list; omitted where the order is not ours. */
  readonly onReorder?: (from: number, to: number) => void;
}

/** The menu of songs that is open. */
const useSongMenu = (itemAt: Pages<Song>['itemAt']) => {
  const [menu, setMenu] = useState<OpenMenu>();
  const onMenu: RowActions['onMenu'] = ({ place, row }) => setMenu({ place, row, song: row === undefined ? undefined : itemAt(row) });
  return { menu, onMenu, onClose: () => setMenu(undefined) };
};

/** The songs of a list, however long; one plays the list from there. */
export const SongTable = (props: TableProps): ReactNode => {
  const { source, label, intro, emptyText = t.emptyLibrary, actions, hasDiscs = false, sorting, onReorder } = props;
  const songs = usePages(songsIn(source));
  const { total, state, starts, itemAt, onSeen } = songs;
  const selection = useSelection(source, total);
  const { menu, onMenu, onClose } = useSongMenu(itemAt);
  const currentId = usePlayer().queue.current?.id;
  const onPlay = (row: number): void => void player.playSource(source, { total, position: row });
  const rowActions = { onPlay, onMenu, onReorder };
  const rowProps = useRowProps(selection, rowActions);
  const columns = columnsOf(source, hasDiscs, useWatched(shownColumns));
  const onMove = ({ shiftKey }: KeyboardEvent, from: number, to: number): unknown => shiftKey && selection.extend(from, to);
  return (
    <div className={styles['table']}>
      <div className={styles['list']}>
        <VirtualList
          name={JSON.stringify(source)}
          label={label}
          rowCount={total}
          rowPx={ROW_PX}
          rowClass={styles['row']}
          intro={
            <>
              {intro}
              <QueryState of={state} emptyText={emptyText} />
            </>
          }
          {...(total > 0 ? { header: <SongHeader columns={columns} sorting={sorting} /> } : {})}
          isMultiSelectable
          starts={starts}
          rowProps={rowProps}
          onSeen={onSeen}
          onRowKey={rowKeys(songs, selection, rowActions)}
          onMove={onMove}
        >
          {(row, isActive) => {
            const song = itemAt(row);
            return (
              song && (
                <SongRow
                  song={song}
                  row={row}
                  columns={columns}
                  isCurrent={song.id === currentId}
                  isSelected={selection.has(row)}
                  isActive={isActive}
                  onPlay={() => onPlay(row)}
                  onToggle={() => selection.toggle(row)}
                  onMenu={(place) => onMenu({ place, row: selection.has(row) ? undefined : row })}
                />
              )
            );
          }}
        </VirtualList>
      </div>
      <SongActions menu={menu} onClose={onClose} songs={songs} selection={selection} own={actions} />
    </div>
  );
};
