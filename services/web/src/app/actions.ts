import { Keyboard, ListMusic, LogOut, TextQuote } from 'lucide-react';
import { createElement } from 'react';
import { chooseLooks } from '../features/looks/index.js';
import { playbackActions, type Panel } from '../features/player/index.js';
import { newPlaylist } from '../features/playlists/index.js';
import { newSmartlist } from '../features/smartlists/index.js';
import { session } from '../lib/session.js';
import { t } from '../messages/index.js';
import type { Action } from '../ui/action.js';
import { openDialog } from '../ui/dialogs.js';
import { PLACES } from './places.js';
import { ShortcutsDialog } from './lazy-dialogs.js';

/** Navigation and panels of the page's frame, for actions. */
export interface PageNeeds {
  readonly goTo: (view: string) => unknown;
  readonly panel: Panel | undefined;
  readonly setPanel: (panel: Panel | undefined) => void;
}

const PLACE_KEYS: Readonly<Record<string, string>> = { '/': 'h', '/search': '/' };

/** Actions that are there whatever is shown, by what they are about, as they stand now. */
export const pageActions = ({
  goTo,
  panel,
  setPanel,
}: PageNeeds): Readonly<Record<'playback' | 'places' | 'others', readonly Action[]>> => {
  const toggled = (name: Panel): Pick<Action, 'isOn' | 'run'> => ({
    isOn: panel === name,
    run: () => setPanel(panel === name ? undefined : name),
  });
  return {
    playback: [
      ...Object.values(playbackActions()),
      { name: t.queue, icon: ListMusic, key: 'q', ...toggled('queue') },
      { name: t.lyrics, icon: TextQuote, key: 'l', ...toggled('lyrics') },
    ],
    places: PLACES.map(({ to, name, icon }) => ({
      name,
      icon,
      ...(PLACE_KEYS[to] === undefined ? {} : { key: PLACE_KEYS[to] }),
      run: () => goTo(to),
    })),
    others: [
      newPlaylist,
      newSmartlist(goTo),
      chooseLooks,
      { name: t.shortcuts, icon: Keyboard, key: '?', run: () => openDialog(createElement(ShortcutsDialog)) },
      { name: t.signOut, icon: LogOut, run: () => session.signOut() },
    ],
  };
};
