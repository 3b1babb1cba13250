export { ArtistView } from './components/artist-view.js';
export { ArtistsView } from './components/artists-view.js';
