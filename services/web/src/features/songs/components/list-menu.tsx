import { lazyRouteComponent } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { songsOf, type SongSource } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import { runAction, useSongActions } from '../actions.js';
import type { ChosenSongs } from '../song-action.js';

const SongMenu = lazyRouteComponent(() => import('./song-menu.js'), 'SongMenu');

/** A button that opens the menu of actions for all songs of a list, such as an album. */
export const ListMenu = ({
  source,
  total,
  name,
}: {
  readonly source: SongSource;
  readonly total: number;
  readonly name: string;
}): ReactNode => {
  const [button, setButton] = useState<HTMLElement>();
  const actions = useSongActions().filter(({ isFor }) => isFor === undefined);
  const fetchAll = async (): Promise<ChosenSongs> => {
    const { items } = await songsOf(source, 0, total);
    return { songs: items, rows: items.map((_, row) => row) };
  };
  return (
    <>
      <IconButton icon={Ellipsis} label={t.more(name)} onPress={setButton} />
      {button && (
        <Suspense>
          <SongMenu
            label={t.more(name)}
            actions={actions}
            place={button}
            onAction={(action) => void runAction(action, fetchAll)}
            onClose={() => setButton(undefined)}
          />
        </Suspense>
      )}
    </>
  );
};
