export { AlbumCard } from './components/album-card.js';
export { AlbumView } from './components/album-view.js';
export { AlbumsView } from './components/albums-view.js';
export { artistAlbumsQuery, rankedAlbumsQuery } from './queries.js';
