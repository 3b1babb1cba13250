export { AlbumGrid } from './components/album-grid.js';
