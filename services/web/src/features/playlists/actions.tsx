import { ListPlus, Plus } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.js';
import { t } from '../../messages/index.js';
import type { Action } from '../../ui/action.js';
import { openDialog } from '../../ui/dialogs.js';
import type { SongAction } from '../songs/index.js';

const TermsDialog = lazyComponent(() => import('./components/terms-dialog.js'), 'TermsDialog');
const AddDialog = lazyComponent(() => import('./components/add-dialog.js'), 'AddDialog');

/** Opens the choice of a playlist for songs. */
export const addToPlaylist: SongAction = {
  name: t.addToPlaylist,
  icon: ListPlus,
  run: ({ songs }) => openDialog(<AddDialog songs={songs} />),
};

/** Asks for the name of a new playlist. */
export const newPlaylist: Action = { name: t.newPlaylist, icon: Plus, run: () => openDialog(<TermsDialog />) };
