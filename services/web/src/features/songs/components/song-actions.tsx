import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { runAction, useSongActions } from '../actions.js';
import type { SongAction } from '../song-action.js';
import type { SongSelection } from '../hooks/use-selection.js';
import type { SeenSongs } from '../hooks/use-songs.js';
import { SelectionBar } from './selection-bar.js';
import type { MenuPlace } from './song-menu.js';

const SongMenu = lazyRouteComponent(() => import('./song-menu.js'), 'SongMenu');

/** A menu of songs that is open. */
export interface OpenMenu {
  readonly place: MenuPlace;
  /** Row of the only song; undefined for the selected ones. */
  readonly row: number | undefined;
}

/** The menu that is open, and the bar of the selection: both offer the same actions. */
export const SongActions = ({
  menu,
  onClose,
  songs: { songAt },
  selection,
  own,
}: {
  readonly menu: OpenMenu | undefined;
  readonly onClose: () => void;
  readonly songs: SeenSongs;
  readonly selection: SongSelection;
  readonly own: readonly SongAction[] | undefined;
}): ReactNode => {
  const actions = useSongActions(own);
  const suiting = (songs: ReturnType<SongSelection['known']>, count: number) =>
    actions.filter(({ isFor }) => isFor === undefined || isFor(songs, count));
  const onAction = (action: SongAction, chosen: Parameters<typeof runAction>[1]): void => {
    void runAction(action, chosen);
    if (action.endsSelection) selection.clear();
  };
  const song = menu?.row === undefined ? undefined : songAt(menu.row);
  const chosen = song && menu?.row !== undefined ? { songs: [song], rows: [menu.row] } : selection.fetch;
  return (
    <>
      {selection.count > 0 && (
        <SelectionBar
          count={selection.count}
          actions={suiting(selection.known(songAt), selection.count)}
          onAction={(action) => onAction(action, selection.fetch)}
          onClear={selection.clear}
        />
      )}
      {menu && (
        <Suspense>
          <SongMenu
            label={song ? t.more(song.title) : t.selection}
            actions={song ? suiting([song], 1) : suiting(selection.known(songAt), selection.count)}
            place={menu.place}
            onAction={(action) => onAction(action, chosen)}
            onClose={onClose}
          />
        </Suspense>
      )}
    </>
  );
};
