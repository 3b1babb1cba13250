import { lazyRouteComponent } from '@tanstack/react-router';
import { ListPlus } from 'lucide-react';
import { t } from '../../messages/index.js';
import { openDialog } from '../../ui/dialogs.js';
import type { SongAction } from '../songs/index.js';

const AddDialog = lazyRouteComponent(() => import('./components/add-dialog.js'), 'AddDialog');

/** Opens the choice of a playlist for songs. */
export const addToPlaylist: SongAction = {
  name: t.addToPlaylist,
  icon: ListPlus,
  run: ({ songs }) => openDialog(<AddDialog songs={songs} />),
};

export const PlaylistView = lazyRouteComponent(() => import('./components/playlist-view.js'), 'PlaylistView');
export const PlaylistsView = lazyRouteComponent(() => import('./components/playlists-view.js'), 'PlaylistsView');
