import { lazyComponent } from '../../../ui/lazy-component.js';
import { Suspense, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { bound, useSongActions } from '../actions.js';
import type { Song } from '../../../lib/api.js';
import type { SongAction } from '../song-action.js';
import type { SongSelection } from '../hooks/use-selection.js';
import type { SeenSongs } from '../hooks/use-songs.js';
import { SelectionBar } from './selection-bar.js';
import type { Action } from '../../../ui/action.js';
import type { MenuPlace } from '../../../ui/action-menu.js';

const ActionMenu = lazyComponent(() => import('../../../ui/action-menu.js'), 'ActionMenu');

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
  const suiting = (known: readonly Song[], count: number, chosen: Parameters<typeof bound>[1]): readonly Action[] =>
    actions
      .filter(({ isFor }) => isFor === undefined || isFor(known, count))
      .map((action) => {
        const { run, ...rest } = bound(action, chosen);
        const runAndClear = (): unknown => {
          const running = run();
          selection.clear();
          return running;
        };
        return { ...rest, run: action.endsSelection ? runAndClear : run };
      });
  const ofSelection = (): readonly Action[] => suiting(selection.known(songAt), selection.count, selection.fetch);
  const song = menu?.row === undefined ? undefined : songAt(menu.row);
  return (
    <>
      {selection.count > 0 && <SelectionBar count={selection.count} actions={ofSelection()} onClear={selection.clear} />}
      {menu && (
        <Suspense>
          <ActionMenu
            label={song ? t.more(song.title) : t.selection}
            actions={song && menu.row !== undefined ? suiting([song], 1, { songs: [song], rows: [menu.row] }) : ofSelection()}
            place={menu.place}
            onClose={onClose}
          />
        </Suspense>
      )}
    </>
  );
};
