import { Ellipsis } from 'lucide-react';
import { Suspense, use, useState, type ReactNode } from 'react';
import { lazyComponent } from '../../../ui/lazy-component.js';
import { songsOf } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/buttons.js';
import type { MenuPlace } from '../../../ui/action-menu.js';
import { bound, useSongActions } from '../actions.js';
import { OtherActions, type ChosenSongs, type NamedList, type SongAction } from '../song-action.js';

const ActionMenu = lazyComponent(() => import('../../../ui/action-menu.js'), 'ActionMenu');

/** Menu of actions for all songs of a list, such as an album. @param actions others, of the list itself */
export const OpenListMenu = ({
  source,
  total,
  name,
  actions,
  place,
  onClose,
}: NamedList & { readonly actions?: readonly SongAction[]; readonly place: MenuPlace; readonly onClose: () => void }): ReactNode => {
  const fetchAll = async (): Promise<ChosenSongs> => {
    const { items } = await songsOf(source, 0, total);
    return { songs: items, rows: items.map((_, row) => row) };
  };
  const list = { source, total, name };
  const ofSongs = useSongActions(actions).filter((action) => action.isFor === undefined);
  const ofList = use(OtherActions).lists.filter(({ isFor }) => isFor(source));
  const shown = [
    ...ofSongs.map((action) => bound(action, fetchAll)),
    ...ofList.map((action) => ({ ...action, run: () => action.run(list) })),
  ];
  return (
    <Suspense>
      <ActionMenu label={t.more(name)} actions={shown} place={place} onClose={onClose} />
    </Suspense>
  );
};

/** A button that opens the menu of actions for all songs of a list. */
export const ListMenu = (list: NamedList): ReactNode => {
  const [button, setButton] = useState<HTMLElement>();
  return (
    <>
      <IconButton icon={Ellipsis} label={t.more(list.name)} size={20} onPress={setButton} />
      {button && <OpenListMenu {...list} place={button} onClose={() => setButton(undefined)} />}
    </>
  );
};
