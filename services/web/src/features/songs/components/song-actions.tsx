import { X } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { perform, type Action } from '../../../ui/action.js';
import { IconButton } from '../../../ui/buttons.js';
import { lazyComponent } from '../../../ui/lazy-component.js';
import type { Song } from '../../../lib/api.js';
import type { Pages } from '../../../lib/use-pages.js';
import type { MenuPlace } from '../../../ui/action-menu.js';
import { bound, useSongActions } from '../actions.js';
import type { SongAction } from '../song-action.js';
import type { SongSelection } from '../hooks/use-selection.js';
import styles from './song-actions.module.css';

/** How many songs are selected, and what can be done with them. */
const SelectionBar = ({
  count,
  actions,
  onClear,
}: {
  readonly count: number;
  readonly actions: readonly Action[];
  readonly onClear: () => void;
}): ReactNode => (
  <div className={styles['bar']} role="toolbar" aria-label={t.selection}>
    <IconButton icon={X} label={t.clearSelection} onPress={onClear} />
    <span className={styles['count']} role="status">
      {t.selectedCount(count)}
    </span>
    {actions.map((action) => (
      <button
        key={action.name}
        type="button"
        className={styles['action']}
        title={action.name}
        aria-label={action.name}
        onClick={() => void perform(action.run)}
      >
        <action.icon size={18} aria-hidden /> <span>{action.name}</span>
      </button>
    ))}
  </div>
);

const ActionMenu = lazyComponent(() => import('../../../ui/action-menu.js'), 'ActionMenu');

/** A menu of songs that is open. */
export interface OpenMenu {
  readonly place: MenuPlace;
  /** Row of the only song; undefined for the selected ones. */
  readonly row: number | undefined;
  /** The song that stood there when the menu was opened: the list may be another one by the time somebody has chosen. */
  readonly song: Song | undefined;
}

/** The menu that is open, and the bar of the selection: both offer the same actions. */
export const SongActions = ({
  menu,
  onClose,
  songs: { itemAt },
  selection,
  own,
}: {
  readonly menu: OpenMenu | undefined;
  readonly onClose: () => void;
  readonly songs: Pages<Song>;
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
  const ofSelection = (): readonly Action[] => suiting(selection.known(itemAt), selection.count, selection.fetch);
  const song = menu?.song;
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
