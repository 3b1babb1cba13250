export { addToPlaylist, newPlaylist } from './actions.js';
