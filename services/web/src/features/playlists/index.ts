import { lazyRouteComponent } from '@tanstack/react-router';

export { addToPlaylist, newPlaylist } from './actions.js';

export const PlaylistView = lazyRouteComponent(() => import('./components/playlist-view.js'), 'PlaylistView');
export const PlaylistsView = lazyRouteComponent(() => import('./components/playlists-view.js'), 'PlaylistsView');
