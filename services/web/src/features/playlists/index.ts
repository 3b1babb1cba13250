import { lazyComponent } from '../../ui/lazy-component.js';

export { addToPlaylist, newPlaylist } from './actions.js';

export const PlaylistView = lazyComponent(() => import('./components/playlist-view.js'), 'PlaylistView');
export const PlaylistsView = lazyComponent(() => import('./components/playlists-view.js'), 'PlaylistsView');
