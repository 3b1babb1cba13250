import { lazyRouteComponent } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { songsOf, type SongSource } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import { runAction, useSongActions } from '../actions.js';
import type { ChosenSongs, SongAction } from '../song-action.js';
import type { MenuPlace } from './song-menu.js';

const SongMenu = lazyRouteComponent(() => import('./song-menu.js'), 'SongMenu');

/** A list of songs whose menu is opened. */
export interface MenuOfList {
  readonly source: SongSource;
  readonly total: number;
  readonly name: string;
}

/** Menu of actions for all songs of a list, such as an album. @param actions others, of the list itself */
export const OpenListMenu = ({
  source,
  total,
  name,
  actions,
  place,
  onClose,
}: MenuOfList & { readonly actions?: readonly SongAction[]; readonly place: MenuPlace; readonly onClose: () => void }): ReactNode => {
  const shown = useSongActions(actions).filter((action) => action.isFor === undefined);
  const fetchAll = async (): Promise<ChosenSongs> => {
    const { items } = await songsOf(source, 0, total);
    return { songs: items, rows: items.map((_, row) => row) };
  };
  return (
    <Suspense>
      <SongMenu
        label={t.more(name)}
        actions={shown}
        place={place}
        onAction={(action) => void runAction(action, fetchAll)}
        onClose={onClose}
      />
    </Suspense>
  );
};

/** A button that opens the menu of actions for all songs of a list. */
export const ListMenu = (list: MenuOfList): ReactNode => {
  const [button, setButton] = useState<HTMLElement>();
  return (
    <>
      <IconButton icon={Ellipsis} label={t.more(list.name)} onPress={setButton} />
      {button && <OpenListMenu {...list} place={button} onClose={() => setButton(undefined)} />}
    </>
  );
};
