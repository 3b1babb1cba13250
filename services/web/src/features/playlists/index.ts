export { PlaylistView } from './components/playlist-view.js';
export { PlaylistsView } from './components/playlists-view.js';
